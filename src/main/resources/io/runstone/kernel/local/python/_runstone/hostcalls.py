"""Calls from code to the server: requests go with the results, replies come by a pipe of their own.

Any thread of the running cell may call. One daemon thread, started by the first call, reads replies and
hands each to whoever waits for it. No lock is held anywhere, for an interrupt may come at any
instruction: a waiting caller is an entry of a dictionary, taken out by exactly one.
"""

import itertools
import os
import queue
import signal
import threading

from . import framing, shell, worker

MAX_BODY = 8 * 1024 * 1024
MAX_REPLY_BYTES = 64 * 1024 * 1024


class Refused(Exception):
    """The server's word on why a call was not done, or is not known to have been."""

    def __init__(self, kind, message, link=None):
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.link = link


class _Calls:
    """The calls of one worker."""

    def __init__(self, owner):
        self._shell = owner
        self._waiting = {}  # by number: the cell, and what takes the reply
        self._numbers = itertools.count(1)
        self._reader = {}  # of one entry, for setting that is atomic
        self._lost = False
        owner.at_end_of_cell = self._end_cell

    def begin(self, method, body, take):
        """Sends a call. take gets the reply on another thread, or None if none will come."""
        cell = self._cell()
        if len(body) > MAX_BODY:
            raise Refused("too_large", "the arguments are larger than the %d characters a call may have" % MAX_BODY)
        self._start_reader()
        number = next(self._numbers)
        self._waiting[number] = (cell, take)
        try:
            if self._lost:
                raise RuntimeError("the way to the server was closed by code of this session")
            if self._shell.running() != cell:
                raise RuntimeError("the cell that made this call has ended")
            call = {"type": "call", "id": cell, "call": number, "method": method, "body": body}
            self._send(call)
        except BaseException:
            self._waiting.pop(number, None)
            raise
        return number

    def _send(self, call):
        try:
            self._shell.send(call)
        except ValueError:
            raise Refused("too_large", "the arguments are too large to be sent") from None

    def end(self, number):
        """The caller goes on; a call that was not answered is called off."""
        entry = self._waiting.pop(number, None)
        if entry is not None and os.getpid() == self._shell.pid:
            self._shell.send({"type": "call_off", "id": entry[0], "call": number})

    def _cell(self):
        """The number of the cell for which the calling thread works."""
        if os.getpid() != self._shell.pid:
            raise RuntimeError(
                "upstream can't be used in a forked process; call it in the session's own process, "
                "or use threads"
            )
        if self._shell.is_late():
            raise RuntimeError("upstream can't be used by a thread whose cell has ended")
        cell = self._shell.running()
        if cell is None:
            raise RuntimeError("upstream can only be used while a cell runs")
        return cell

    def _start_reader(self):
        if self._reader:
            return
        thread = threading.Thread(target=self._read, name="upstream-replies", daemon=True)
        # It takes no signals: an interrupt is for the main thread, which may hold it back for a moment.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            if self._reader.setdefault("thread", thread) is thread:
                try:
                    thread.start()
                except BaseException:
                    self._reader.clear()
                    raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _read(self):
        decoder = framing.Decoder(MAX_REPLY_BYTES)
        try:
            while True:
                data = os.read(worker.REPLIES, 1 << 20)
                if not data:
                    break
                for reply in decoder.feed(data):
                    cell, take = self._waiting.pop(reply.get("call"), (None, None))
                    if cell is not None:
                        take(reply if cell == reply.get("id") else None)
        except (OSError, framing.FramingError):
            pass  # user code closed or read what is not its own
        finally:
            self._lost = True
            self._end_cell()

    def _end_cell(self):
        for number in list(self._waiting):
            cell, take = self._waiting.pop(number, (None, None))
            if cell is not None:
                take(None)


_calls = None


def _current():
    global _calls
    if _calls is None or _calls._shell is not shell.current:
        if shell.current is None:
            raise RuntimeError("upstream can only be used in a Runstone session")
        _calls = _Calls(shell.current)
    return _calls


def _result(reply):
    """The JSON text of an answer."""
    if reply is None:
        raise Refused("cancelled", "the call was cancelled, for the code that made it has ended")
    if reply.get("ok"):
        return reply["body"]
    raise Refused(str(reply.get("kind")), str(reply.get("message")), reply.get("link"))


def call(method, body):
    """Calls the server and waits for the answer; an interrupt ends the waiting."""
    calls = _current()
    box = queue.SimpleQueue()
    number = calls.begin(method, body, box.put)
    try:
        return _result(box.get())
    finally:
        calls.end(number)


async def call_async(method, body):
    """The same for coroutines."""
    import asyncio

    calls = _current()
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def settle(reply):
        if not future.done():
            future.set_result(reply)

    def take(reply):
        try:
            loop.call_soon_threadsafe(settle, reply)
        except RuntimeError:
            pass  # the loop was closed, so nobody waits

    number = calls.begin(method, body, take)
    try:
        return _result(await future)
    finally:
        calls.end(number)
