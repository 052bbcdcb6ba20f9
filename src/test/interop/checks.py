"""Prints one line a check, and sees to it that a script ends within a minute: 0 if all went well, 1 if not."""

import os
import sys
import threading
import traceback
from contextlib import contextmanager

LIMIT_SECONDS = 60

_failures = 0


class Check:
    """What a check says after its name."""

    said = ""


def _give_up() -> None:
    print(f"FAIL not done after {LIMIT_SECONDS} s", flush=True)
    os._exit(1)  # whatever hangs would keep sys.exit from ending


_timer = threading.Timer(LIMIT_SECONDS, _give_up)
_timer.daemon = True
_timer.start()


def _reason(error: BaseException) -> str:
    """What is wrong; of a task group's error, what is wrong in it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    where = traceback.extract_tb(error.__traceback__)[-1]
    return str(error) or f"{type(error).__name__} at line {where.lineno} of {os.path.basename(where.filename)}"


@contextmanager
def check(name: str):
    """One check; an exception in the block fails it and goes no further."""
    global _failures
    result = Check()
    try:
        yield result
    except Exception as error:  # noqa: BLE001 - any of them is a failed check
        _failures += 1
        print(f"FAIL {name}: {_reason(error)}", flush=True)
    else:
        print(f"ok   {name}" + (f": {result.said}" if result.said else ""), flush=True)


def expect(condition: bool, message: object) -> None:
    if not condition:
        raise AssertionError(str(message))


def note(text: str) -> None:
    """Says what this client can't do, so that nobody takes it for tested."""
    print(f"note {text}", flush=True)


def done(client: str) -> None:
    print(f"{client}: all ok" if _failures == 0 else f"{client}: {_failures} failed", flush=True)
    sys.stdout.flush()
    os._exit(1 if _failures else 0)
