"""The few system calls that the standard library lacks."""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NAME = 15
_PR_SET_CHILD_SUBREAPER = 36

_libc = ctypes.CDLL(None, use_errno=True)


def _prctl(option, value):
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def set_dumpable(dumpable):
    """A process that is not dumpable hides its memory and descriptors from others of its uid."""
    _prctl(_PR_SET_DUMPABLE, 1 if dumpable else 0)


def set_name(name):
    _prctl(_PR_SET_NAME, ctypes.c_char_p(name.encode("ascii")))


def become_subreaper():
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def has_children():
    """Whether this process has started any that still run, or that it has not waited for."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def is_only_child(pid):
    """Whether a process is the only child of this thread; False also where the kernel does not tell."""
    try:
        with open("/proc/thread-self/children", "rb") as f:
            return f.read().split() == [b"%d" % pid]
    except OSError:
        return False


def flush_c_streams():
    """Flushes what C code printed through stdio (a Python flush does not reach it)."""
    _libc.fflush(None)


def kill_all_but_self(whole_namespace):
    """Kills every process below this one.

    In a PID namespace of our own kill(-1) reaches all, whatever they did to their session, group or
    parent. Outside of one it would reach strangers, so the process tree is walked instead.
    """
    if whole_namespace and os.getpid() == 1:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return
    for _ in range(20):
        found = _descendants(os.getpid())
        if not found:
            return
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass


def _descendants(root):
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as f:
                fields = f.read().rpartition(b")")[2].split()
        except OSError:
            continue
        if fields[0] != b"Z":
            children.setdefault(int(fields[1]), []).append(int(name))
    found, todo = [], [root]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found
