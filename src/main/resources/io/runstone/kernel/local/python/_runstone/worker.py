"""The worker: the forked process that holds the user's namespace and runs one cell after the other."""

import collections
import fcntl
import importlib
import os
import resource
import signal
import site
import socket
import sys
import threading

from . import framing, shell, system, usage

CONTROL, ACK, REPLIES = 3, 4, 5  # descriptors beside the standard ones
MAX_COMMAND_BYTES = 64 * 1024 * 1024
MAX_RESULT_BYTES = 10 * 1024 * 1024
_LIMITS = {
    "address_space": resource.RLIMIT_AS,
    "processes": resource.RLIMIT_NPROC,
    "open_files": resource.RLIMIT_NOFILE,
    "file_bytes": resource.RLIMIT_FSIZE,
    "core": resource.RLIMIT_CORE,
}


# The worker's ends of what it shares with the supervisor.
Ends = collections.namedtuple("Ends", "control ack replies out err")


def main(ends, target, settings):
    """Runs in the child of the fork and never returns."""
    code = 70
    try:
        control = _become_worker(ends, settings)
        _preload(settings.get("preload", ()))
        _serve(control, target, settings.get("shell"))
        code = 0
    except OSError:
        pass  # user code closed the way to the supervisor; the exit code tells
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)


def _become_worker(ends, settings):
    os.setsid()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(ends.out, 1)
    os.dup2(ends.err, 2)
    own = (ends.control, ends.ack, ends.replies)
    aside = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in own]  # out of each other's way
    for fd, place in zip(aside, (CONTROL, ACK, REPLIES)):
        os.dup2(fd, place, inheritable=False)
    system.set_dumpable(True)
    _close_others()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    system.set_name("python3")
    try:
        with open("/proc/self/oom_score_adj", "w") as f:
            f.write("1000")  # when memory is short, this goes first and not the server
    except OSError:
        pass
    for name, bound in settings.get("limits", {}).items():
        resource.setrlimit(_LIMITS[name], (bound, bound))
    site.main()  # the interpreter was started without, to start fast; packages come with it
    sys.argv = [""]
    sys.path.insert(0, "")
    return socket.socket(fileno=CONTROL)


def _preload(modules):
    """Imports what an administrator wants to be there at once."""
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception:
            pass  # code that needs it gets the error, with its reason


def _close_others():
    """Closes what the supervisor had open, above all its pipes to the server.

    By looking, not up to a limit: user code can lower the supervisor's limit by prlimit.
    """
    for name in os.listdir("/proc/self/fd"):
        if int(name) > REPLIES:
            try:
                os.close(int(name))
            except OSError:
                pass  # the one that listed the directory


class Channel:
    """The way to the supervisor. Frames of several threads don't mix, and no interrupt cuts one."""

    def __init__(self, control):
        self._control = control
        self._lock = threading.Lock()

    def send(self, message, in_place=False):
        """Sends a message; in_place waits until what was printed before it has been read."""
        frame = framing.encode(message)
        if len(frame) > MAX_RESULT_BYTES:
            raise ValueError("the output is too large to be sent")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        try:
            with self._lock:
                self._control.sendall(frame)
                if in_place:
                    os.read(ACK, 1)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _shell(kind):
    if kind != "ipython":
        return shell.Shell
    from . import ipython_shell

    return ipython_shell.IPythonShell


class _UpstreamFinder:
    """Finds the module upstream, after every other place was looked at; it is loaded only if wanted."""

    @staticmethod
    def find_spec(name, _path=None, _target=None):
        if name != "upstream":
            return None
        from importlib import util

        home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        return util.spec_from_file_location(name, os.path.join(home, "upstream.py"))


def _serve(control, target, kind):
    channel = Channel(control)
    runner = _shell(kind)(target, channel.send)
    shell.current = runner
    sys.meta_path.append(_UpstreamFinder)
    decoder = framing.Decoder(MAX_COMMAND_BYTES)
    channel.send({"type": "ready", "python": sys.version.split()[0]})
    while True:
        data, streams, flags, _ = socket.recv_fds(control, 65536, 2)
        if not data:
            return
        if len(streams) == 2:
            runner.use_streams(*streams)
        elif flags & socket.MSG_CTRUNC:  # user code has used up all descriptors
            for fd in streams:
                os.close(fd)
            channel.send({"type": "streams_kept"}, in_place=True)
        for message in decoder.feed(data):
            result = runner.run(
                int(message["id"]), message["code"], message.get("may_write", True)
            )
            result["type"] = "done"
            result["left_processes"] = system.has_children()
            result["id"] = message["id"]
            try:
                channel.send(result)
            except ValueError:  # only of text that JSON can hardly say, such as a MiB of control characters
                result["data"] = {"text/plain": "[the value is too large to be shown]"}
                channel.send(result)
