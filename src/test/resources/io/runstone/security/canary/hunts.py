# One hunt after the other, each under a line with its name. Links lead to what the test made for that, and
# never to "/": should something that clears up follow one, it deletes nothing else.
# hunt: environment
tell("environ", repr(dict(os.environ)))
LIBC.getenv.restype = ctypes.c_char_p
tell("getenv", repr(LIBC.getenv(b"RUNSTONE_TEST_SECRET")))
# hunt: proc-environ
for pid in pids():
    attempt("environ " + pid, lambda: read("/proc/%s/environ" % pid))
    attempt("cmdline " + pid, lambda: read("/proc/%s/cmdline" % pid))
# hunt: shell
for command in ("env", "set", "cat /proc/*/environ /proc/*/cmdline", "ps auxeww", "id; mount", "cat /proc/1/mounts"):
    attempt(command, lambda: subprocess.run(command, shell=True, capture_output=True, timeout=5).stdout)
# hunt: own-memory
memory("self")
# hunt: other-memory
for pid in pids() + ["1", str(os.getppid())]:
    attempt("mem " + pid, lambda: memory(pid))
# hunt: maps
for pid in pids():
    for name in ("maps", "mountinfo", "status", "stat", "auxv", "cgroup", "limits", "net/unix", "net/tcp", "wchan", "syscall"):
        attempt(name + " " + pid, lambda: read("/proc/%s/%s" % (pid, name)))
# hunt: proc-fd
for pid in pids():
    for link in glob.glob("/proc/%s/fd/*" % pid) + glob.glob("/proc/%s/task/*/fd/*" % pid):
        attempt(link, lambda: os.readlink(link))
        attempt("open " + link, lambda: os.close(os.open(link, os.O_RDONLY | os.O_NONBLOCK)))
# hunt: proc-root
for pid in pids():
    for way in ("root", "cwd", "exe"):
        attempt(way + pid, lambda: os.listdir("/proc/%s/%s" % (pid, way)))
        attempt(way + pid, lambda: read("/proc/%s/%s%s/api-keys" % (pid, way, SECRETS)))
# hunt: ptrace
for pid in pids():
    for request in (16, 0x4206):
        attempt("ptrace %s %d" % (pid, request), lambda: (LIBC.ptrace(request, int(pid), 0, 0), ctypes.get_errno()))
# hunt: process-vm-readv
class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
buffer = ctypes.create_string_buffer(1 << 16)
for pid in pids():
    here, there = Part(ctypes.addressof(buffer), 1 << 16), Part(0x400000, 1 << 16)
    LIBC.process_vm_readv(int(pid), ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    tell("readv " + pid, buffer.raw, 0)
# hunt: directories
for root in ("/app", "/tmp", "/run", "/var", "/etc", "/opt", "/home", "/root", "/srv", "/mnt", "/dev/shm", "/sys"):
    tell(root, os.path.exists(root))
    for number, (place, _, names) in enumerate(os.walk(root)):
        for name in names[:200] if number < 200 else ():
            try:
                tell(place + "/" + name, read(place + "/" + name), 0)
            except OSError:
                pass
# hunt: host-paths
for name in ("api-keys", "upstream-secret", "upstream-keys", "upstreams.json", "server.properties", "server.log"):
    for way in ("", "/oldroot", "/newroot", "/proc/1/root", "/proc/self/root/..", "/app/uploads/../../.."):
        attempt(way + name, lambda: read(way + SECRETS + "/" + name))
for name in ("audit/audit.log", "workspaces", "run", "credentials"):
    attempt(name, lambda: os.listdir(DATA + "/" + name))
# hunt: links
for number, target in enumerate((OUTSIDE, OUTSIDE + "/kept", SECRETS + "/api-keys")):
    link = "/app/uploads/link%d" % number
    attempt("link", lambda: os.path.lexists(link) or os.symlink(target, link))
    attempt("through", lambda: os.listdir(link) if number == 0 else read(link))
# hunt: objects
import gc
for value in gc.get_objects():
    if isinstance(value, (str, bytes, dict, list, tuple, set)):
        try:
            tell(type(value).__name__, repr(value), 0)
        except Exception:
            pass
# hunt: frames
for number, frame in sys._current_frames().items():
    while frame is not None:
        tell("frame", repr(frame.f_code), 60)
        for name, value in list(frame.f_locals.items()) + list(frame.f_globals.items()):
            attempt(name, lambda: repr(value)[:5000])
        frame = frame.f_back
# hunt: modules
import upstream
for name, module in list(sys.modules.items()):
    if name.split(".")[0] in ("upstream", "_runstone", "__main__", "supervisor"):
        for key, value in list(vars(module).items()):
            tell(name + "." + key, repr(value), 0)
            tell(name + "." + key, repr(getattr(value, "__dict__", "")), 0)
            tell(name + "." + key, repr(getattr(value, "__closure__", "")), 0)
# hunt: abstract-sockets
for line in open("/proc/net/unix"):
    path = line.split()[-1]
    tell("unix", line)
    if path.startswith("@"):
        with socket.socket(socket.AF_UNIX) as client:
            attempt(path, lambda: client.connect("\0" + path[1:]))
attempt("attach", lambda: socket.socket(socket.AF_UNIX).connect("/tmp/.java_pid%d" % os.getppid()))
# hunt: loopback
for port in (SERVER_PORT, UPSTREAM_PORT, 8080, 9222):
    for host in ("127.0.0.1", "::1", "10.0.2.2", "169.254.169.254"):
        attempt("%s %d" % (host, port), lambda: socket.create_connection((host, port), 0.2).recv(100))
# hunt: read-descriptors
for fd in range(1001):
    try:
        copy = os.dup(fd)
        os.set_blocking(copy, False)
        tell("fd %d %s" % (fd, os.readlink("/proc/self/fd/%d" % fd)), os.read(copy, 65536) if fd != 1 and fd != 2 else b"")
        os.set_blocking(copy, True)
        os.close(copy)
    except OSError:
        pass
# hunt: shared-memory
for number in range(64):
    LIBC.shmat.restype = ctypes.c_void_p
    place = LIBC.shmat(number, None, 0o10000)
    if place not in (None, ctypes.c_void_p(-1).value):
        tell("shm", ctypes.string_at(place, 4096))
for name in ("shm", "sem", "msg"):
    attempt(name, lambda: read("/proc/sysvipc/" + name))
attempt("/dev/shm", lambda: os.listdir("/dev/shm"))
attempt("keyring", lambda: read("/proc/keys"))
attempt("keyctl", lambda: (LIBC.syscall(250, 0, -3, 0), ctypes.get_errno()))
# hunt: fresh-memory
for size in (1 << 8, 1 << 12, 1 << 16, 1 << 20, 8 << 20):
    LIBC.malloc.restype = ctypes.c_void_p
    tell("malloc", ctypes.string_at(LIBC.malloc(size), size), 0)
# hunt: upstream-results
import upstream
for mode in ("ok", "failed", "401", "403", "404", "500", "302", "garbage", "other"):
    attempt(mode, lambda: upstream.vault.say(mode=mode))
    attempt(mode, lambda: vars(upstream.vault.say.with_options(raw=True)(mode=mode)))
# hunt: upstream-lists
import upstream
attempt("servers", lambda: [vars(each) if hasattr(each, "__dict__") else each for each in upstream.servers()])
attempt("search", lambda: upstream.search("say secret", limit=50))
attempt("tools", lambda: upstream.vault.tools())
attempt("dir", lambda: (dir(upstream), dir(upstream.vault), vars(upstream.vault)))
# hunt: upstream-single
import upstream
mode = ("401", "403", "404", "500", "302", "garbage", "other", "failed", "ok")[PROGRAM % 9]
attempt("one " + mode, lambda: upstream.vault.say(mode=mode))
attempt("nobody", lambda: upstream.vault.call("nobody", {"mode": "x" * (PROGRAM * 100)}))
attempt("options", lambda: upstream.vault.say.with_options(timeout=0.001)(mode=mode))
# hunt: upstream-threads
import upstream
for mode in ("ok", "500", "garbage", "401"):
    threading.Thread(target=attempt, args=(mode, lambda: upstream.vault.say(mode=mode))).start()
# hunt: forged-calls
from _runstone import hostcalls
for method in ("servers", "tools", "call", "search", "credentials", "header", "token", "settings", "environ", "../call"):
    for body in ("{}", '{"server": "vault"}', '{"server": "../vault", "tool": "say"}', "[" * 2000, '{"server":"vault","headers":{"X":"y"}}', ""):
        attempt(method, lambda: hostcalls.call(method, body))
# hunt: forged-frames
def frame(text):
    return struct.pack(">I", len(text)) + text
for text in (b'{"type":"settings"}', b'{"type":"call","id":1,"call":1,"method":"servers","body":"{}"}', b"{", b'{"type":"done","id":0}'):
    for fd in range(3, 32):
        try:
            os.set_blocking(fd, False)
            os.write(fd, frame(text))
        except OSError:
            pass
# hunt: write-descriptors
for fd in range(3, 1001):
    try:
        os.set_blocking(fd, False)
        os.write(fd, b"\0" * 64)
    except OSError:
        pass
# hunt: core-dump
import resource
attempt("limit", lambda: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)))
attempt("pattern", lambda: read("/proc/sys/kernel/core_pattern"))
child = os.fork()
if child == 0:
    os.abort()
attempt("died", lambda: os.waitpid(child, 0))
attempt("cores", lambda: glob.glob("/app/uploads/core*") + glob.glob("core*"))
# hunt: segfault
import faulthandler
faulthandler.enable(sys.stderr, all_threads=True)
for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGUSR1):
    attempt("signal", lambda: signal.signal(number, lambda *_: traceback.print_stack()))
    attempt("parent", lambda: os.kill(os.getppid(), signal.SIGUSR1) if PROGRAM % 2 else None)
if PROGRAM % 3 == 0:
    ctypes.string_at(0)
# hunt: parent
for number in (signal.SIGCONT, signal.SIGQUIT, signal.SIGUSR2, signal.SIGSEGV):
    attempt("kill", lambda: os.kill(1, number))
    attempt("pidfd", lambda: LIBC.syscall(438, LIBC.syscall(434, 1, 0), 0, 0))
# hunt: exceptions
class Loud(Exception):
    def __str__(self):
        return repr(sys._getframe(1).f_globals)
try:
    raise Loud("loud")
except Loud as error:
    tell("loud", str(error), 0)
    tell("context", traceback.format_exc(), 2000)
attempt("hook", lambda: sys.excepthook(*sys.exc_info()))
attempt("import", lambda: __import__("no_such_module"))
attempt("input", lambda: input("the secret, please: "))
