"""Compiles and runs cells in one namespace, the worker's __main__ module."""

import ast
import builtins
import errno
import io
import linecache
import os
import signal
import sys
import threading
import traceback
import types

from . import display, matplotlib_hook, system, usage

KEPT_SOURCES = 200
BACKGROUND_CHUNK = 65536
MAX_TRACEBACK = 256 * 1024
_CELL = "_runstone_cell"
_MAIN = threading.main_thread()
_CO_COROUTINE = 0x80  # inspect.CO_COROUTINE; inspect takes its time to import
_COMPILE_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

# Files whose frames are of no interest to who wrote the cell.
_HOME = os.path.dirname(os.path.abspath(__file__))
hidden_files = (_HOME + os.sep, os.path.join(os.path.dirname(_HOME), "upstream.py"))

# The shell of this worker, for what code in it imports.
current = None


_MISSING = (
    "The module %r is not installed for this session's Python %s, and there is no network to install it "
    "from. An administrator can install it for that interpreter, or set runstone.kernel.python to one "
    "that has it."
)


_LIMITS = {
    errno.EFBIG: "A file may not get larger than runstone.kernel.file-bytes.",
    errno.EMFILE: "A process may not have more open files than runstone.kernel.open-files.",
    errno.ENOSPC: "/tmp is as large as runstone.kernel.tmp-bytes allows; /app/uploads is on the server's disk.",
    errno.EAGAIN: "A kernel may not have more processes and threads than runstone.kernel.processes.",
}
_QUOTA = (
    "Your files in /app/uploads take more than runstone.workspace.max-bytes. "
    "Nothing can be written until some are deleted."
)


def _hint(e):
    """A sentence on what an exception has to do with this server; empty if nothing."""
    if isinstance(e, ModuleNotFoundError) and e.name:
        return _MISSING % (e.name, sys.version.split()[0])
    if isinstance(e, MemoryError):
        return "A process may not use more memory than runstone.kernel.address-space-bytes."
    if isinstance(e, RuntimeError) and "can't start new thread" in str(e):
        return _LIMITS[errno.EAGAIN]
    if isinstance(e, OSError):
        if e.errno == errno.EFBIG and usage.writing_is_off():
            return _QUOTA
        return _LIMITS.get(e.errno, "")
    return ""


def _input(prompt=""):
    raise EOFError(
        "input() is not available: nobody can type into this session. "
        "Pass the value in the code, or write it to a file first."
    )


class Shell:
    """Runs one cell at a time; not thread-safe, and nothing but the worker's main thread calls it."""

    def __init__(self, target, send):
        self.pid = os.getpid()
        self.send = send
        self.at_end_of_cell = None  # is told that no call of the cell will be answered
        self._displayer = display.Displayer(self._publish)
        self._target = target
        self._running = None
        self._loop = None
        self._sources = []
        self._saved = {fd: os.dup(fd) for fd in (0, 1, 2)}
        module = types.ModuleType("__main__")
        module.__builtins__ = builtins
        sys.modules["__main__"] = module
        self.module = module
        self.namespace = module.__dict__
        builtins.input = _input
        for name in ("display", "update_display", "clear_output"):
            setattr(builtins, name, getattr(self._displayer, name))
        matplotlib_hook.install()
        self._mark_threads()
        self._open_streams()

    def run(self, cell_id, code, may_write=True):
        """Runs a cell and returns its result as a message; raises nothing that user code raised."""
        self._open_streams()
        usage.allow_writing(may_write)
        self.namespace.pop("__warningregistry__", None)  # each cell may warn of what another warned of
        signal.signal(signal.SIGINT, self._on_interrupt)
        before = usage.cpu_seconds()
        result = {"status": "ok"}
        try:
            try:
                self._running = cell_id
                try:
                    value = self._execute(cell_id, code)
                finally:
                    self._displayer.figures()
                if value is not None:
                    result["data"] = self._show(value)
            finally:
                self._running = None
        except BaseException as e:
            self._running = None
            result.pop("data", None)
            result["status"] = "error"
            result["error"] = describe(e)
        if os.getpid() != self.pid:
            self._flush()
            os._exit(0)  # a child that the cell forked fell out of it; the cell belongs to the parent
        if self.at_end_of_cell is not None:
            self.at_end_of_cell()
        self._flush()
        after = usage.cpu_seconds()
        result["cpu"] = after - before
        result["cpu_total"] = after
        result["peak_memory"] = usage.peak_memory_bytes()
        return result

    def _show(self, value):
        """The representations of a cell's value, which the next cell can have as _."""
        self.namespace["_"] = value
        return display.bundle(value)

    def _execute(self, cell_id, code):
        """Runs a cell; returns the value of its last expression, or None."""
        name = "<cell %d>" % cell_id
        self._remember(name, code)
        tree = compile(code, name, "exec", ast.PyCF_ONLY_AST | _COMPILE_FLAGS, dont_inherit=True)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        if tree.body:
            self._evaluate(compile(tree, name, "exec", _COMPILE_FLAGS, dont_inherit=True))
        if last is None:
            return None
        return self._evaluate(compile(last, name, "eval", _COMPILE_FLAGS, dont_inherit=True))

    def _evaluate(self, code):
        value = eval(code, self.namespace)
        if code.co_flags & _CO_COROUTINE:
            return self._await(value)
        return value

    def _await(self, coroutine):
        import asyncio  # 20 ms that a kernel which awaits nothing need not pay at its start

        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        task = self._loop.create_task(coroutine)
        try:
            return self._loop.run_until_complete(task)
        except BaseException as e:
            if task.done():
                raise
            task.cancel()
            self._loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
            raise e.with_traceback(None)  # where the event loop was says nothing about the cell

    def _publish(self, message):
        """Sends rich output of the cell that runs, after what was printed before it."""
        cell = self._running
        if cell is None or os.getpid() != self.pid:
            return  # of a thread that outlived its cell, or of a forked child: it has no place to go
        self._flush()
        message["id"] = cell
        self.send(message, in_place=True)

    def running(self):
        """The number of the cell that runs, or None."""
        return self._running

    def is_late(self):
        """Whether the calling thread was started by a cell that has ended."""
        cell = getattr(threading.current_thread(), _CELL, None)
        return cell is not None and cell != self._running and os.getpid() == self.pid

    def background(self, name, text):
        """Reports what a thread printed after its cell."""
        for start in range(0, len(text), BACKGROUND_CHUNK):
            part = text[start : start + BACKGROUND_CHUNK]
            self.send({"type": "background", "name": name, "text": part})

    def _mark_threads(self):
        """Gives each thread the number of the cell that started it, or whose thread started it."""
        start = threading.Thread.start

        def start_marked(thread):
            cell = getattr(threading.current_thread(), _CELL, None)
            setattr(thread, _CELL, cell if cell is not None else self._running)
            start(thread)

        threading.Thread.start = start_marked

    def _on_interrupt(self, _signal, _frame):
        """Raises KeyboardInterrupt in the cell it was meant for, and nowhere else.

        The supervisor writes the cell's number beside the signal, so that one which comes late does
        not hit the next cell. A number of 0 is a signal that user code sent to itself.
        """
        target = usage.interrupt_target(self._target)
        usage.set_interrupt_target(self._target, 0)
        if self._running is None or target not in (0, self._running):
            return
        raise KeyboardInterrupt

    def _remember(self, name, code):
        """Gives tracebacks their source lines."""
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        self._sources.append(name)
        if len(self._sources) > KEPT_SOURCES:
            linecache.cache.pop(self._sources.pop(0), None)

    def use_streams(self, out, err):
        """Has stdout and stderr lead somewhere else from the next cell on."""
        for fd, stream in ((1, out), (2, err)):
            if stream != self._saved[fd]:
                os.dup2(stream, self._saved[fd], inheritable=False)
                os.close(stream)

    def _open_streams(self):
        """Undoes what the last cell may have done to stdin, stdout and stderr."""
        for fd, saved in self._saved.items():
            if not _same_file(fd, saved):
                os.dup2(saved, fd)
        if not _is_open(sys.stdin):
            sys.stdin = open(os.devnull)
        for name, fd in (("stdout", 1), ("stderr", 2)):
            stream = getattr(sys, "__%s__" % name)
            if not isinstance(stream, _Output) or not _is_open(stream):
                stream = _Output(fd, name, self)
                setattr(sys, "__%s__" % name, stream)
                setattr(sys, name, stream)
            elif not _is_open(getattr(sys, name)):
                setattr(sys, name, stream)

    def _flush(self):
        for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
            try:
                stream.flush()
            except BaseException:
                pass  # closed or replaced by user code; what it held is not ours to lose
        system.flush_c_streams()


class _Output(io.TextIOWrapper):
    """stdout and stderr: UTF-8, and what UTF-8 cannot say (a lone surrogate) shown as an escape.

    What a thread of an earlier cell prints is no output of the cell that runs now.
    """

    def __init__(self, fd, name, shell):
        super().__init__(
            open(fd, "wb", closefd=False), "utf-8", "backslashreplace", line_buffering=True
        )
        self._stream_name = name
        self._shell = shell

    def write(self, text):
        if threading.current_thread() is not _MAIN and self._shell.is_late():
            self._shell.background(self._stream_name, text)
            return len(text)
        return super().write(text)


def describe(e):
    """An exception as name, text and traceback without colours; survives exceptions that can't be shown."""
    name = type(e).__name__
    try:
        text = str(e)
    except BaseException as again:
        text = "<text of the exception could not be made: %s>" % type(again).__name__
    try:
        shown = traceback.TracebackException(type(e), e, e.__traceback__)
        _hide_own_frames(shown)
        lines = "".join(shown.format())
    except BaseException:
        lines = "Traceback could not be made.\n%s: %s\n" % (name, text)
    hint = _hint(e)
    if hint:
        lines = "%s\n%s" % (lines.rstrip("\n"), hint)
    return {"ename": name, "evalue": display.bounded(text, 65536), "traceback": display.bounded(lines.rstrip("\n"), MAX_TRACEBACK)}


def _hide_own_frames(shown, seen=None):
    """Leaves the frames of the user's code, and of what it called, in an exception and its causes."""
    seen = seen or set()
    if shown is None or id(shown) in seen:
        return
    seen.add(id(shown))
    shown.stack[:] = [f for f in shown.stack if not f.filename.startswith(hidden_files)]
    _hide_own_frames(shown.__cause__, seen)
    _hide_own_frames(shown.__context__, seen)


def _same_file(fd, other):
    try:
        return os.path.sameopenfile(fd, other)
    except OSError:
        return False


def _is_open(stream):
    try:
        return not stream.closed
    except Exception:
        return False
