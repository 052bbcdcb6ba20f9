"""The shell of IPython in a worker: magics, !cmd and its display machinery, with our messages.

Chosen by runstone.kernel.shell=ipython; IPython has to be importable.
"""

import builtins
import os
import sys

import IPython
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from . import display, shell


class _Hook(DisplayHook):
    """Keeps the representations of a cell's value instead of printing them."""

    shown = None

    def __call__(self, result=None):
        self.check_for_underscore()
        if result is None or self.quiet():
            return
        self.shown = self.compute_format_data(result)[0]
        self.update_user_ns(result)
        self.fill_exec_result(result)


class _Publisher(DisplayPublisher):
    """Sends what code displays to the server."""

    send = None

    def publish(self, data, metadata=None, *, transient=None, update=False, **_options):
        message = {"type": "display", "data": display.texts(data), "update": bool(update)}
        message["display_id"] = (transient or {}).get("display_id")
        self.send(message)

    def clear_output(self, wait=False):
        self.send({"type": "clear", "wait": bool(wait)})


class _Interactive(InteractiveShell):
    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)
    system = InteractiveShell.system_raw  # without a terminal, whose line ends would be in the output

    def __init__(self, *args, **options):
        self.tracebacks = []
        super().__init__(*args, **options)

    def _showtraceback(self, _type, _value, lines):
        """Keeps it: that of the cell is in the result, others are shown after it."""
        self.tracebacks.append("\n".join(lines))


class IPythonShell(shell.Shell):
    """Runs cells as IPython does."""

    def __init__(self, target, send):
        super().__init__(target, send)
        shell.hidden_files += (os.path.dirname(IPython.__file__) + os.sep,)
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "NoColor"
        config.InteractiveShell.xmode = "Plain"
        self._interactive = _Interactive.instance(config=config, user_module=self.module)
        self._interactive.display_pub.send = self._publish
        for name in ("exit", "quit"):  # IPython's need a terminal
            self.namespace[name] = getattr(builtins, name)

    def _execute(self, cell_id, code):
        hook = self._interactive.displayhook
        hook.shown = None
        self._interactive.tracebacks = []
        self._interactive.run_cell(code, store_history=False).raise_error()
        for text in self._interactive.tracebacks:  # such as of a representation that failed
            print(text, file=sys.stderr)
        return hook.shown

    def _show(self, value):
        return display.texts(value)
