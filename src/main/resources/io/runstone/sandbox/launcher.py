"""Starts the runner's program in namespaces of its own; the level "namespaces", and "none".

Runs on the host as ``python3 -I -S launcher.py``, standard library only, Python 3.9 or newer. The
first frame on standard input (4-byte big-endian length, UTF-8 JSON) is the plan; the bytes after it
belong to the program. The program then runs in this interpreter's forked child, without an exec:
that saves a start of Python. This process waits, holds no pipe, and ends with the child's status,
or 128 + signal. Whoever kills it kills everything inside: the child has a parent-death signal and
is PID 1 of its namespace.

A failed step ends in exit status 71 and one line on standard error.

Every import costs each start time and each sandbox memory: none that can be done without.
"""

import binascii
import ctypes
import fcntl
import json
import os
import select
import signal
import struct
import sys
import time
import types

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 36, 38, 47
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
FAILED = 71
# Hidden by the mounts made here and not part of what the sandbox sees.
BASE = "/sys"

libc = ctypes.CDLL(None, use_errno=True)


def check(result, step):
    """Raises what went wrong, with the name of the step."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{step}: {os.strerror(number)}")


def prctl(option, *args):
    values = [ctypes.c_ulong(value) for value in args]
    values += [ctypes.c_ulong(0)] * (4 - len(values))
    return libc.prctl(option, *values)


def mount(source, target, kind, flags, data=None):
    arguments = [os.fsencode(text) if text is not None else None for text in (source, target, kind)]
    check(
        libc.mount(*arguments, ctypes.c_ulong(flags), data.encode() if data else None),
        f"mount {kind or ''} {target}",
    )


def read_plan():
    """The plan; reads not one byte more than its frame."""

    def exactly(count):
        parts = b""
        while len(parts) < count:
            part = os.read(0, count - len(parts))
            if not part:
                sys.exit(FAILED)
            parts += part
        return parts

    return json.loads(exactly(struct.unpack(">I", exactly(4))[0]))


def stage(sources):
    """As root: puts directories where the unprivileged user can reach them, in private mounts."""
    check(libc.unshare(CLONE_NEWNS), "unshare mounts for directories only root can reach")
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", BASE, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=64k")
    os.mkdir(f"{BASE}/root")
    for source, target in sources:
        os.mkdir(target)
        mount(source, target, None, MS_BIND | MS_REC)


def drop_user(uid, gid):
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    # The change of user made /proc/self belong to root, which forbids writing the id maps.
    check(prctl(PR_SET_DUMPABLE, 1), "set dumpable")


def die_with_parent(number):
    # After every change of user, because that clears it.
    check(prctl(PR_SET_PDEATHSIG, number), "set parent-death signal")


def unshare(plan):
    uid, gid = os.geteuid(), os.getegid()
    flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
    if libc.unshare(flags | CLONE_NEWCGROUP) < 0:
        check(libc.unshare(flags), "unshare user namespace")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{plan['uid']} {uid} 1"),
        ("gid_map", f"{plan['gid']} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def mounts_below(path):
    """Mount points at and below a path, as the kernel spells them."""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            point = line.split(" ", 5)[4]
            for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
                point = point.replace(code, char)
            if point == path or point.startswith(path + "/"):
                yield point


def restrict(path, flags):
    """Adds flags to a mount; those it has must be repeated, the kernel locks them.

    Not those about access times: named by none, they stay as they are.
    """
    kept = os.statvfs(path).f_flag & (MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    mount("none", path, None, MS_REMOUNT | MS_BIND | kept | flags)


def place(path, directory=True):
    """Makes the mount point."""
    os.makedirs(path if directory else os.path.dirname(path), mode=0o755, exist_ok=True)
    if not directory and not os.path.lexists(path):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))


def bind(source, target, flags):
    place(target, os.path.isdir(source))
    mount(source, target, None, MS_BIND | MS_REC)
    top = os.path.realpath(target)
    for point in list(mounts_below(top)):
        try:
            restrict(point, MS_NOSUID | flags)
        except PermissionError:
            if point == top:
                raise  # a mount further down that cannot be reached now cannot be later


def tmpfs(target, size, mode):
    place(target)
    data = f"mode={mode}" + (f",size={size}" if size else "")
    mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, data)


def devices(target):
    tmpfs(target, 0, "755")
    for name in ("null", "zero", "full", "random", "urandom", "tty"):
        bind(f"/dev/{name}", f"{target}/{name}", MS_NOEXEC)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"{target}/{name}")
    os.symlink("/proc/self/fd", f"{target}/fd")
    os.symlink("/proc/kcore", f"{target}/core")
    os.symlink("pts/ptmx", f"{target}/ptmx")
    os.mkdir(f"{target}/shm")
    os.mkdir(f"{target}/pts")
    data = "newinstance,ptmxmode=0666,mode=620"
    mount("devpts", f"{target}/pts", "devpts", MS_NOSUID | MS_NOEXEC, data)


def build(root, steps):
    """Does the steps of io.runstone.sandbox.ViewStep below the new root."""
    for step in steps:
        kind, target = step[0], root + step[1].rstrip("/")
        if kind == "symlink":
            os.symlink(step[2], target)
        elif kind == "bind":
            bind(step[2], target, MS_NODEV)
        elif kind == "ro-bind":
            bind(step[2], target, MS_NODEV | MS_RDONLY)
        elif kind == "tmpfs":
            tmpfs(target, step[2], step[3])
        elif kind == "text":
            place(target, directory=False)
            os.chmod(target, 0o644)
            with open(target, "w", encoding="utf-8") as file:
                file.write(step[2])
        elif kind == "proc":
            place(target)
            mount("proc", target, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
        elif kind == "dev":
            devices(target)
        elif kind == "freeze":
            restrict(target or "/", MS_RDONLY)
        else:
            raise ValueError(f"unknown step {kind}")


def enter(plan):
    """Builds the view and makes it the root."""
    name = plan["hostname"].encode()
    check(libc.sethostname(name, ctypes.c_size_t(len(name))), "set host name")
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    root = f"{BASE}/root" if plan["stage"] else BASE
    mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755")
    os.umask(0o022)
    build(root, plan["steps"])
    os.chdir(root)
    # Stacks the old root on the new one; what is detached then is the old one.
    number = ctypes.c_long(PIVOT_ROOT[os.uname().machine])
    check(libc.syscall(number, b".", b"."), "pivot_root")
    check(libc.umount2(b".", MNT_DETACH), "detach the old root")
    os.chdir("/")
    restrict("/", MS_RDONLY)


def loopback_up():
    """As bubblewrap does: programs inside may talk to each other over 127.0.0.1."""
    any_socket = libc.socket(2, 2, 0)  # AF_INET, SOCK_DGRAM
    check(any_socket, "open a socket")
    # SIOCSIFFLAGS: IFF_UP | IFF_RUNNING
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh22x", b"lo", 0x1 | 0x40))
    os.close(any_socket)


def forbid_namespaces():
    # Before /proc/sys becomes read-only; the limit is that of the calling process's namespace.
    with open("/proc/sys/user/max_user_namespaces", "w", encoding="ascii") as file:
        file.write("0")


def drop_capabilities():
    prctl(PR_CAP_AMBIENT, 4)  # clear all; an error means a kernel without them
    capability = 0
    while prctl(PR_CAPBSET_DROP, capability) == 0:
        capability += 1
    header = struct.pack("=Ii", 0x20080522, 0)
    check(libc.capset(header, b"\0" * 24), "drop capabilities")


def filter_calls(program):
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]

    struct_program = Program(len(program) // 8, program)
    pointer = ctypes.addressof(struct_program)
    check(prctl(PR_SET_SECCOMP, 2, pointer), "install the seccomp filter")


def close_others():
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            try:
                os.close(int(name))
            except OSError:
                pass  # the one that was used for listing


def run(path):
    """Runs the program as the main module of this interpreter."""
    sys.argv = [path]
    main = types.ModuleType("__main__")
    main.__file__ = path
    main.__builtins__ = __builtins__
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


def forked(lifeline):
    """In the child: dies with its parent, also when that died before this line."""
    die_with_parent(signal.SIGKILL)
    if select.select([lifeline], [], [], 0)[0]:
        os._exit(FAILED)


def inside(plan, lifeline):
    """The child at level "namespaces", PID 1."""
    forbid_namespaces()
    loopback_up()
    enter(plan)
    drop_capabilities()
    check(prctl(PR_SET_NO_NEW_PRIVS, 1), "set no_new_privs")
    os.setsid()
    os.chdir(plan["directory"])
    forked(lifeline)
    close_others()
    filter_calls(binascii.a2b_base64(plan["seccomp"]))


def unconfined(plan, lifeline):
    """The child at level "none"."""
    check(prctl(PR_SET_NO_NEW_PRIVS, 1), "set no_new_privs")
    os.setsid()
    os.chdir(plan["directory"])
    forked(lifeline)
    close_others()


def children():
    """Ids of this process's children; /proc has a list of them only in some kernels."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # The command in parentheses may hold anything, also parentheses.
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:
            continue
        if parent == os.getpid():
            yield int(name)


def end_descendants():
    """At level "none": kills until no child is left; orphans come here, this is their reaper."""
    while True:
        for child in children():
            os.kill(child, signal.SIGKILL)
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.001)
        except ChildProcessError:
            return


def wait_for(child, confined):
    """The parent's whole life; returns the status to end with."""
    status = None
    while status is None:
        ended, code = os.waitpid(-1, 0)
        if ended == child:
            status = os.WEXITSTATUS(code) if os.WIFEXITED(code) else 128 + os.WTERMSIG(code)
    if not confined:
        end_descendants()
    return status


def terminated(_number, _frame):
    end_descendants()
    os._exit(128 + signal.SIGKILL)


def main():
    plan = read_plan()
    confined = plan["level"] == "namespaces"
    if plan["stage"]:
        stage(plan["stage"])
    if plan["drop"]:
        drop_user(*plan["drop"])
    die_with_parent(signal.SIGKILL if confined else signal.SIGTERM)
    if os.getppid() != plan["parent"]:
        sys.exit(FAILED)
    if confined:
        unshare(plan)
    else:
        check(prctl(PR_SET_CHILD_SUBREAPER, 1), "become the reaper of orphans")
        signal.signal(signal.SIGTERM, terminated)
    lifeline, held = os.pipe()
    child = os.fork()
    if child:
        for descriptor in (0, 1, 2, lifeline):
            os.close(descriptor)
        os._exit(wait_for(child, confined))
    os.close(held)
    if confined:
        inside(plan, lifeline)
    else:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        unconfined(plan, lifeline)
    return plan["program"]


if __name__ == "__main__":
    try:
        PROGRAM = main()
    except (OSError, ValueError, KeyError) as error:
        sys.stderr.write(f"runstone launcher: {error}\n")
        sys.stderr.flush()
        os._exit(FAILED)
    run(PROGRAM)
