package io.runstone.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.sandbox.Sandboxes.Outcome;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Programs that try to get out. The directory is private (0700), so that as root every test also
 * shows that workspace and runner are staged.
 */
@ParameterizedClass
@EnumSource(
    value = SandboxLevel.class,
    names = {"BUBBLEWRAP", "NAMESPACES"})
class SandboxAbuseTest {
  private final Path directory;
  private final Sandboxes sandboxes;

  SandboxAbuseTest(SandboxLevel level, @TempDir Path directory) throws Exception {
    this.directory = directory;
    this.sandboxes = new Sandboxes(directory, level);
  }

  @AfterEach
  void close() {
    sandboxes.close();
  }

  private Outcome run(String program) throws Exception {
    Outcome outcome = sandboxes.run(program);
    assertThat(outcome.exit()).as("%s", outcome).isZero();
    return outcome;
  }

  @Test
  void hasNoNetwork() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Outcome outcome =
          run(
              """
              def connect(family, address):
                  with socket.socket(family, socket.SOCK_STREAM) as client:
                      client.settimeout(2)
                      client.connect(address)
              attempt("host", lambda: connect(socket.AF_INET, ("127.0.0.1", %d)))
              attempt("internet", lambda: connect(socket.AF_INET, ("192.0.2.1", 80)))
              print("interfaces=" + ",".join(name for _, name in socket.if_nameindex()))
              """
                  .formatted(server.getLocalPort()));
      assertThat(outcome.fact("host")).isIn("ECONNREFUSED", "ENETUNREACH");
      assertThat(outcome.fact("internet")).isEqualTo("ENETUNREACH");
      assertThat(outcome.fact("interfaces")).isEqualTo("lo");
    }
  }

  @Test
  void talksToItselfOverLoopback() throws Exception {
    Outcome outcome =
        run(
            """
            server = socket.create_server(("127.0.0.1", 0))
            attempt("self", lambda: socket.create_connection(server.getsockname(), 2).close())
            """);
    assertThat(outcome.fact("self")).isEqualTo("done None");
  }

  @Test
  void cannotReadFilesOfTheHost() throws Exception {
    Path canary = Files.writeString(directory.resolve("canary"), "secret");
    SandboxPolicy other = sandboxes.policy("", Map.of());
    Path foreign = Files.writeString(other.workspace().resolve("foreign"), "secret");
    Outcome outcome =
        run(
            """
            for name in ("/etc/shadow", "/etc/hostname", "/root", "/home", "/var", "/run", "/sys",
                    "/oldroot", "/newroot", "%s", "%s"):
                attempt(name, lambda: os.listdir(name) if os.path.isdir(name) else open(name).read())
            attempt("root", lambda: sorted(os.listdir("/")))
            """
                .formatted(canary, foreign));
    for (String name : new String[] {"/etc/shadow", "/etc/hostname", "/root", "/var", "/run"}) {
      if (!leadsToTheInterpreter(name)) {
        assertThat(outcome.fact(name)).as(name).isEqualTo("ENOENT");
      }
    }
    assertThat(outcome.fact("/sys")).isEqualTo("ENOENT");
    assertThat(outcome.fact("/oldroot")).isEqualTo("ENOENT");
    assertThat(outcome.fact("/newroot")).isEqualTo("ENOENT");
    if (!leadsToTheInterpreter("/home")) {
      assertThat(outcome.fact("/home")).isEqualTo("done ['runstone']");
    }
    assertThat(outcome.fact(canary.toString())).isEqualTo("ENOENT");
    assertThat(outcome.fact(foreign.toString())).isEqualTo("ENOENT");
    assertThat(outcome.fact("root")).doesNotContain("sys", "boot", "mnt", "lost+found");
  }

  private boolean leadsToTheInterpreter(String place) {
    return sandboxes.interpreter().prefixes().stream().anyMatch(path -> path.startsWith(place));
  }

  @Test
  void writesOnlyToWorkspaceAndMemory() throws Exception {
    Outcome outcome =
        run(
            """
            def write(name):
                os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644))
            for name in ("/usr/x", "/x", "/etc/x", "/etc/passwd", "/opt/x", "/opt/runstone/x", "/app/x",
                    "/opt/runstone/supervisor.py", "/dev/x", "/home/x", "/proc/sys/kernel/core_pattern",
                    "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/sys/user/max_user_namespaces",
                    "/tmp/x", "/dev/shm/x", "/home/runstone/x", "/app/uploads/x", "/dev/null"):
                attempt(name, lambda: write(name))
            """);
    for (String name :
        new String[] {"/usr/x", "/x", "/etc/x", "/etc/passwd", "/opt/x", "/opt/runstone/x"}) {
      assertThat(outcome.fact(name)).as(name).isEqualTo("EROFS");
    }
    for (String name :
        new String[] {"/opt/runstone/supervisor.py", "/app/x", "/dev/x", "/home/x"}) {
      assertThat(outcome.fact(name)).as(name).isEqualTo("EROFS");
    }
    assertThat(outcome.fact("/proc/sys/kernel/core_pattern")).isIn("EROFS", "EACCES");
    assertThat(outcome.fact("/proc/sys/kernel/hostname")).isIn("EROFS", "EACCES");
    assertThat(outcome.fact("/proc/sys/user/max_user_namespaces")).isIn("EROFS", "EACCES");
    assertThat(outcome.fact("/proc/sysrq-trigger")).isIn("EROFS", "EACCES", "ENOENT");
    for (String name :
        new String[] {"/tmp/x", "/dev/shm/x", "/home/runstone/x", "/app/uploads/x", "/dev/null"}) {
      assertThat(outcome.fact(name)).as(name).isEqualTo("done None");
    }
  }

  @Test
  void memoryFileSystemsEndAtTheirSize() throws Exception {
    Outcome outcome =
        run(
            """
            def fill(directory):
                total = 0
                with open(directory + "/big", "wb", buffering=0) as file:
                    try:
                        while total < 16 << 20:
                            total += file.write(bytes(65536))
                    except OSError as error:
                        assert error.errno == errno.ENOSPC
                return total
            for name in ("/tmp", "/dev/shm", "/home/runstone"):
                print(name + "=" + str(fill(name)))
            """);
    for (String name : new String[] {"/tmp", "/dev/shm", "/home/runstone"}) {
      assertThat(Long.parseLong(outcome.fact(name)))
          .as(name)
          .isBetween(Sandboxes.TMP_BYTES / 2, Sandboxes.TMP_BYTES);
    }
  }

  @Test
  void gainsNoPrivileges() throws Exception {
    Outcome outcome =
        run(
            """
            status = dict(line.split(":", 1) for line in open("/proc/self/status"))
            for name in ("Uid", "Gid", "CapEff", "CapPrm", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp"):
                print(name + "=" + " ".join(status[name].split()))
            for name in ("/usr", "/app/uploads", "/tmp", "/opt/runstone", "/home/runstone"):
                print(name + "=" + str(bool(os.statvfs(name).f_flag & os.ST_NOSUID)))
            attempt("setuid", lambda: os.setuid(0))
            attempt("hostname", lambda: socket.sethostname("x"))
            attempt("device", lambda: os.mknod("/tmp/d", 0o20666, os.makedev(1, 1)))
            print("name=" + socket.gethostname())
            """);
    assertThat(outcome.fact("Uid")).isEqualTo("1000 1000 1000 1000");
    assertThat(outcome.fact("Gid")).isEqualTo("1000 1000 1000 1000");
    for (String set : new String[] {"CapEff", "CapPrm", "CapBnd", "CapAmb"}) {
      assertThat(outcome.fact(set)).as(set).matches("0+");
    }
    assertThat(outcome.fact("NoNewPrivs")).isEqualTo("1");
    assertThat(outcome.fact("Seccomp")).isEqualTo("2");
    for (String place : new String[] {"/usr", "/app/uploads", "/tmp", "/opt/runstone"}) {
      assertThat(outcome.fact(place)).as(place).isEqualTo("True");
    }
    assertThat(outcome.fact("setuid")).isIn("EPERM", "EINVAL");
    assertThat(outcome.fact("hostname")).isEqualTo("EPERM");
    assertThat(outcome.fact("device")).isEqualTo("EPERM");
    assertThat(outcome.fact("name")).isEqualTo("runstone");
  }

  @Test
  void forbidsDangerousCalls() throws Exception {
    Outcome outcome =
        run(
            """
            X86 = os.uname().machine == "x86_64"
            def number(x86, arm):
                return ctypes.c_long(x86 if X86 else arm)
            attempt("unshare", lambda: call(libc.unshare(0x10000000)))
            attempt("setns", lambda: call(libc.setns(os.open("/proc/self/ns/net", 0), 0)))
            attempt("mount", lambda: call(libc.mount(b"t", b"/tmp", b"tmpfs", 0, None)))
            attempt("umount", lambda: call(libc.umount2(b"/tmp", 0)))
            attempt("chroot", lambda: os.chroot("/tmp"))
            attempt("ptrace", lambda: call(libc.ptrace(0, 0, 0, 0)))
            attempt("clone", lambda: call(libc.syscall(number(56, 220), 0x10000011, 0, 0, 0, 0)))
            attempt("clone3", lambda: call(libc.syscall(ctypes.c_long(435), 0, 0)))
            attempt("bpf", lambda: call(libc.syscall(number(321, 280), 0, 0, 0)))
            attempt("io_uring", lambda: call(libc.syscall(ctypes.c_long(425), 1, 0)))
            attempt("keyctl", lambda: call(libc.syscall(number(250, 219), 0, 0)))
            attempt("personality", lambda: call(libc.personality(ctypes.c_ulong(0x40000))))
            attempt("default personality", lambda: call(libc.personality(ctypes.c_ulong(0xffffffff))))
            attempt("packet", lambda: socket.socket(17, socket.SOCK_RAW).close())
            attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM).close())
            attempt("audit", lambda: socket.socket(16, socket.SOCK_RAW, 9).close())
            attempt("tiocsti", lambda: __import__("fcntl").ioctl(0, 0x5412, b"x"))
            """);
    for (String name :
        new String[] {
          "unshare",
          "setns",
          "mount",
          "umount",
          "chroot",
          "ptrace",
          "clone",
          "bpf",
          "io_uring",
          "keyctl",
          "personality",
          "tiocsti"
        }) {
      assertThat(outcome.fact(name)).as(name).isEqualTo("EPERM");
    }
    assertThat(outcome.fact("clone3")).isEqualTo("ENOSYS");
    assertThat(outcome.fact("default personality")).isEqualTo("done 0");
    for (String family : new String[] {"packet", "vsock", "audit"}) {
      assertThat(outcome.fact(family)).as(family).isEqualTo("EAFNOSUPPORT");
    }
  }

  @Test
  void theWorkerCannotReachTheSupervisor() throws Exception {
    Outcome outcome =
        run(
            """
            call(libc.prctl(4, 0))
            print("first=" + str(os.getpid()), flush=True)
            child = os.fork()
            if child == 0:
                call(libc.prctl(4, 1))
                for name in ("fd/0", "fd/1", "mem", "environ", "cwd", "root", "maps"):
                    attempt(name, lambda: os.open("/proc/1/" + name, os.O_RDONLY))
                attempt("own", lambda: len(open("/proc/self/environ", "rb").read()) > 0)
                attempt("processes", lambda: [n for n in os.listdir("/proc") if n.isdigit()])
                attempt("descriptors", lambda: sorted(map(int, os.listdir("/proc/self/fd")))[:3])
                os._exit(0)
            os.waitpid(child, 0)
            print("parent=" + str(os.getppid()))
            print("open=" + ",".join(sorted(os.listdir("/proc/self/fd"))))
            """);
    assertThat(outcome.fact("first")).isEqualTo("1");
    assertThat(outcome.fact("parent")).isEqualTo("0");
    for (String name : new String[] {"fd/0", "fd/1", "mem", "environ", "cwd", "root", "maps"}) {
      assertThat(outcome.fact(name)).as(name).isEqualTo("EACCES");
    }
    assertThat(outcome.fact("own")).isEqualTo("done True");
    // PID 1 and the worker: nobody else inside holds the pipes, and no process of the host shows.
    assertThat(outcome.fact("processes")).isEqualTo("done ['1', '2']");
    assertThat(outcome.fact("open")).as("0 to 2 and the one that lists").isEqualTo("0,1,2,3");
  }

  @Test
  void seesNothingOfTheServersEnvironmentAndPaths() throws Exception {
    SandboxPolicy policy =
        sandboxes.policy(
            """
            for name, value in sorted(os.environ.items()):
                print(name + "=" + value)
            print("names=" + ",".join(sorted(os.environ)))
            print("first=" + repr(open("/proc/1/environ", "rb").read()))
            print("command=" + repr(open("/proc/1/cmdline", "rb").read()))
            print("directory=" + os.getcwd())
            print("main=" + __name__ + " " + __file__ + " " + repr(sys.argv))
            """,
            Map.of("MARK", "given", "TZ", "Europe/Berlin"));
    Outcome outcome = sandboxes.run(policy);
    assertThat(outcome.fact("names")).isEqualTo("HOME,LANG,LOGNAME,MARK,PATH,PWD,TZ,USER");
    assertThat(outcome.fact("HOME")).isEqualTo("/home/runstone");
    assertThat(outcome.fact("MARK")).isEqualTo("given");
    assertThat(outcome.fact("directory")).isEqualTo("/app/uploads");
    assertThat(outcome.fact("main"))
        .isEqualTo("__main__ /opt/runstone/supervisor.py ['/opt/runstone/supervisor.py']");
    assertThat(outcome.fact("command")).doesNotContain(directory.toString(), "launch-");
    assertThat(outcome.fact("first")).doesNotContain("JAVA", directory.toString());
  }

  @Test
  void hidesWhatProcTellsOfTheHost() throws Exception {
    Outcome outcome =
        run(
            """
            for name in ("kcore", "keys", "timer_list", "kallsyms", "kmsg", "slabinfo"):
                try:
                    print(name + "=" + str(len(open("/proc/" + name, "rb").read(1))))
                except OSError as error:
                    print(name + "=0")
            try:
                print("acpi=" + str(len(os.listdir("/proc/acpi"))))
            except OSError:
                print("acpi=0")
            """);
    for (String name :
        new String[] {"kcore", "keys", "timer_list", "kallsyms", "kmsg", "slabinfo", "acpi"}) {
      assertThat(outcome.fact(name)).as(name).isEqualTo("0");
    }
  }

  @Test
  void ordinaryProgramsWork() throws Exception {
    SandboxPolicy policy =
        sandboxes.policy(
            """
            import multiprocessing, pty, subprocess, threading, tempfile, time, getpass
            print("user=" + getpass.getuser())
            print("shell=" + subprocess.run(["sh", "-c", "echo hello; id -un"], capture_output=True,
                text=True).stdout.replace("\\n", " "))
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print("pool=" + str(pool.map(abs, [-1, -2])))
            thread = threading.Thread(target=lambda: print("thread=ran"))
            thread.start(); thread.join()
            print("terminal=" + str(len(pty.openpty())))
            with tempfile.NamedTemporaryFile() as file:
                print("temporary=" + file.name[:5])
            print("random=" + str(len(os.urandom(8))))
            open("result.txt", "w").write("written inside")
            """,
            Map.of());
    Outcome outcome = sandboxes.run(policy);
    assertThat(outcome.fact("user")).as("%s", outcome).isEqualTo("runstone");
    assertThat(outcome.fact("shell")).isEqualTo("hello runstone ");
    assertThat(outcome.fact("pool")).isEqualTo("[1, 2]");
    assertThat(outcome.fact("thread")).isEqualTo("ran");
    assertThat(outcome.fact("terminal")).isEqualTo("2");
    assertThat(outcome.fact("temporary")).isEqualTo("/tmp/");
    assertThat(outcome.fact("random")).isEqualTo("8");
    assertThat(policy.workspace().resolve("result.txt")).hasContent("written inside");
  }
}
