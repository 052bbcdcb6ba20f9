# What every hunt has: a look for how the secrets begin, without having one of them in it.
import ctypes, glob, io, os, re, signal, socket, struct, subprocess, sys, threading, time, traceback

NEEDLE = ("@HEAD@" + "@TAIL@").encode()
LIBC = ctypes.CDLL(None, use_errno=True)
SECRETS, DATA, OUTSIDE = "@SECRETS@", "@DATA@", "@OUTSIDE@"
SERVER_PORT, UPSTREAM_PORT, PROGRAM = @SERVER_PORT@, @UPSTREAM_PORT@, @PROGRAM@


def tell(label, data, shown=300):
    """Prints the beginning of what was found, and all that looks like a secret."""
    if not isinstance(data, (bytes, bytearray)):
        data = str(data).encode("utf-8", "replace")
    print(label, bytes(data[:shown]))
    at = data.find(NEEDLE)
    for _ in range(20):
        if at < 0:
            break
        print("FOUND", label, bytes(data[max(0, at - 40) : at + 120]))
        at = data.find(NEEDLE, at + 1)


def attempt(label, action):
    """Prints what comes back or, with all that hangs on it, what is raised."""
    try:
        tell(label, repr(action()))
    except BaseException as error:
        seen = error
        while seen is not None:
            tell(label + " raised", repr(seen))
            tell(label + " vars", repr({name: getattr(seen, name, None) for name in dir(seen)}), 2000)
            frame = seen.__traceback__
            while frame is not None:
                tell(label + " locals", repr(frame.tb_frame.f_locals), 0)
                frame = frame.tb_next
            seen = seen.__cause__ or seen.__context__


def read(path, limit=1 << 16):
    with open(path, "rb", buffering=0) as file:
        os.set_blocking(file.fileno(), False)
        return file.read(limit) or b""


def memory(pid):
    """Looks through the memory of a process."""
    with open("/proc/%s/mem" % pid, "rb", buffering=0) as mem:
        for line in open("/proc/%s/maps" % pid):
            span, rights = line.split()[:2]
            if rights.startswith("r") and "[v" not in line:
                start, end = (int(text, 16) for text in span.split("-"))
                try:
                    mem.seek(start)
                    tell(line.strip(), mem.read(min(end - start, 16 << 20)), 0)
                except (OSError, ValueError, OverflowError):
                    pass


def pids():
    return [name for name in os.listdir("/proc") if name.isdigit()]
