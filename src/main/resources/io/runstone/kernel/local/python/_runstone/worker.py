"""The worker: the forked process that holds the user's namespace and runs one cell after the other."""

import os
import resource
import signal
import site
import socket
import sys

from . import framing, shell, system, usage

MAX_COMMAND_BYTES = 64 * 1024 * 1024
_LIMITS = {
    "address_space": resource.RLIMIT_AS,
    "processes": resource.RLIMIT_NPROC,
    "open_files": resource.RLIMIT_NOFILE,
    "file_bytes": resource.RLIMIT_FSIZE,
    "core": resource.RLIMIT_CORE,
}


def main(control_fd, out_fd, err_fd, target, settings):
    """Runs in the child of the fork and never returns."""
    code = 70
    try:
        control = _become_worker(control_fd, out_fd, err_fd, settings)
        _serve(control, shell.Shell(target))
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)


def _become_worker(control_fd, out_fd, err_fd, settings):
    os.setsid()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(out_fd, 1)
    os.dup2(err_fd, 2)
    control_fd = os.dup2(control_fd, 3, inheritable=False)
    os.closerange(4, os.sysconf("SC_OPEN_MAX"))
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    system.set_dumpable(True)
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
    return socket.socket(fileno=control_fd)


def _serve(control, runner):
    decoder = framing.Decoder(MAX_COMMAND_BYTES)
    control.sendall(framing.encode({"type": "ready", "python": sys.version.split()[0]}))
    while True:
        data = control.recv(65536)
        if not data:
            return
        for message in decoder.feed(data):
            result = runner.run(int(message["id"]), message["code"])
            result["type"] = "done"
            result["id"] = message["id"]
            control.sendall(framing.encode(result))
