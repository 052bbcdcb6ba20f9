"""The supervisor: owns the protocol with the server and the life of the worker.

It runs no user code and has one thread, so nothing that user code does (a segfault, os._exit, a C loop
that keeps the GIL, a full pipe) can keep it from answering. The worker is a fork of it; its stdout and
stderr are pipes whose read ends are here, a socket pair carries commands and results, and one more pipe
the server's replies to calls of the code that runs.

Invariant: a cell is sent to the worker only after the previous one ended, and its end is forwarded only
after both pipes were read empty. So output is never lost and never reported with another cell. If the
previous one left processes running, the next gets pipes of its own: what comes through the old ones is
of nobody's cell.
"""

import array
import codecs
import errno
import fcntl
import mmap
import os
import selectors
import signal
import socket
import termios
import time

from . import framing, replies, system, trusted, usage, worker

CHUNK = 65536
MAX_COMMAND_BYTES = 64 * 1024 * 1024
MAX_RESULT_BYTES = 11 * 1024 * 1024
SIGNAL_EVERY_SECONDS = 1.0
SEND_TIMEOUT_SECONDS = 5.0
MAX_EARLY_DEATHS = 3
MAX_LATE_STREAMS = 64  # descriptors are bounded; after that, what processes of several cells write is not told apart


class Stream:
    """The read end of the worker's stdout or stderr, decoded as it comes; bad bytes become U+FFFD."""

    def __init__(self, name, fd):
        self.name = name
        self.fd = fd
        os.set_blocking(fd, False)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self):
        """Returns text, "" when there is none now, or None at the end of the stream."""
        try:
            data = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return ""
        if not data:
            return None
        return self._decoder.decode(data)

    def read_what_is_there(self):
        """Yields the text that was written so far; not what is written meanwhile, which may be without end."""
        held = array.array("i", (0,))
        fcntl.ioctl(self.fd, termios.FIONREAD, held)
        for _ in range(0, held[0], CHUNK):
            yield self.read() or ""

    def rest(self):
        """Ends a cell: an unfinished character is shown as U+FFFD rather than carried over."""
        text = self._decoder.decode(b"", True)
        self._decoder.reset()
        return text


class Worker:
    """The forked process and the supervisor's ends of its channels."""

    def __init__(self, settings, selector):
        out_read, out_write = os.pipe()
        err_read, err_write = os.pipe()
        ours, theirs = socket.socketpair()
        ack_read, self.ack = os.pipe()
        os.set_blocking(self.ack, False)
        replies_read, replies_write = os.pipe()
        self.target = mmap.mmap(-1, mmap.PAGESIZE)
        self.pid = os.fork()
        if self.pid == 0:
            ends = worker.Ends(theirs.detach(), ack_read, replies_read, out_write, err_write)
            worker.main(ends, self.target, settings)
            os._exit(70)  # not reached: worker.main never returns
        os.close(out_write)
        os.close(err_write)
        os.close(ack_read)
        os.close(replies_read)
        theirs.close()
        ours.settimeout(SEND_TIMEOUT_SECONDS)
        self.control = ours
        self.replies = replies.Replies(replies_write, selector)
        self.streams = []
        self.decoder = framing.Decoder(MAX_RESULT_BYTES)
        self.cpu_seconds = 0.0
        self.left_processes = False
        self._selector = selector
        self._pair = ()  # the streams of the cell that runs, or ran last; what earlier cells left writes to others
        self._earlier_pair = ()
        selector.register(ours, selectors.EVENT_READ, "control")
        self._read_from(out_read, err_read)

    def _read_from(self, out, err):
        self._earlier_pair = self._pair
        self._pair = (Stream("stdout", out), Stream("stderr", err))
        for stream in self._pair:
            self.streams.append(stream)
            self._selector.register(stream.fd, selectors.EVENT_READ, stream)

    def keep_streams(self):
        """The worker had no descriptor free for new pipes, so the cell has those of the one before."""
        if self._earlier_pair:
            for stream in self._pair:
                self.close_stream(stream)
            self._pair, self._earlier_pair = self._earlier_pair, ()
        self.acknowledge()

    def is_late(self, stream):
        """Whether no cell writes to it any more, but what an earlier one left."""
        return stream not in self._pair

    def run(self, message):
        """Gives it a cell, and pipes of its own if other processes may write to those that it has."""
        frame = framing.encode(message)
        alone = not self.left_processes and system.is_only_child(self.pid)
        if alone or len(self.streams) > MAX_LATE_STREAMS:
            self.control.sendall(frame)
            return
        out_read, out_write = os.pipe()
        err_read, err_write = os.pipe()
        self._read_from(out_read, err_read)
        try:
            given = array.array("i", (out_write, err_write))
            sent = self.control.sendmsg(
                [frame], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, given)]
            )
            self.control.sendall(frame[sent:])
        finally:
            os.close(out_write)
            os.close(err_write)

    def close_stream(self, stream):
        if stream in self.streams:
            self.streams.remove(stream)
            self._selector.unregister(stream.fd)
            os.close(stream.fd)

    def hang_up(self):
        if self.control.fileno() >= 0:
            self._selector.unregister(self.control)
            self.control.close()

    def acknowledge(self):
        """Lets the worker go on: what it prints from now on comes after what was drained."""
        try:
            os.write(self.ack, b"a")
        except OSError:
            pass  # it is dying, or does not read what it asked for

    def close(self):
        for stream in list(self.streams):
            self.close_stream(stream)
        self.hang_up()
        self.replies.close()
        os.close(self.ack)
        self.target.close()


class Cell:
    """One execution that the worker has been given and has not ended."""

    def __init__(self, cell_id):
        self.id = cell_id
        self.interrupted = False
        self.kill_at = None
        self.signal_at = None
        self.killed = False
        self.orphans_cpu_seconds = 0.0


class Supervisor:
    def __init__(self, source, sink, settings):
        self.source = source
        self.sink = sink
        self.settings = settings
        self.own_namespace = bool(settings.get("pid_namespace"))
        self.commands = framing.Decoder(MAX_COMMAND_BYTES)
        self.selector = selectors.DefaultSelector()
        self.cell = None
        self.worker = None
        self.workers = 0
        self.early_deaths = 0
        self.stop = False
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_read, False)
        os.set_blocking(wake_write, False)
        self.wake = wake_read
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        os.set_blocking(source, False)
        self.selector.register(source, selectors.EVENT_READ, "commands")
        self.selector.register(wake_read, selectors.EVENT_READ, "wake")

    def send(self, kind, **fields):
        fields["type"] = kind
        framing.write(self.sink, fields)

    def _start_worker(self):
        self.workers += 1
        self.worker = Worker(self.settings, self.selector)

    def run(self):
        self._start_worker()
        try:
            while not self.stop:
                for key, _ in self.selector.select(self._patience()):
                    self._ready(key.data)
                self._reap()
                self._ladder()
        finally:
            system.kill_all_but_self(self.own_namespace)

    def _patience(self):
        if self.cell is None or self.cell.kill_at is None or self.cell.killed:
            return None
        return max(0.0, min(self.cell.kill_at, self.cell.signal_at) - time.monotonic())

    def _ready(self, source):
        if source == "commands":
            self._read_commands()
        elif source == "wake":
            try:
                os.read(self.wake, 512)
            except BlockingIOError:
                pass
        elif source == "control":
            self._read_results()
        elif source == "replies":
            self.worker.replies.flush()
        elif source in self.worker.streams:
            self._forward(source)

    # Commands of the server

    def _read_commands(self):
        try:
            data = os.read(self.source, CHUNK)
        except BlockingIOError:
            return
        if not data:  # the server is gone, and so is the reason to live
            self.stop = True
            return
        for message in self.commands.feed(data):
            kind = message.get("type")
            if kind == "execute":
                self._execute(message)
            elif kind == "interrupt":
                self._interrupt(message)
            elif kind == "reply":
                self._reply(message)
            elif kind == "shutdown":
                self.stop = True
            else:
                raise framing.FramingError("unknown command")

    def _execute(self, message):
        cell_id = int(message["id"])
        if self.cell is not None:
            raise framing.FramingError("a cell is running")
        if int(message["worker"]) != self.workers:
            self.send("refused", id=cell_id, next_worker=self.workers)  # its variables are gone, and the server could not know
            return
        self._drain(None)
        self.cell = Cell(cell_id)
        usage.set_interrupt_target(self.worker.target, 0)
        try:
            self.worker.run(message)
        except OSError:  # it died, or user code closed its end: the reaper reports what happened
            self._kill_worker()

    def _interrupt(self, message):
        cell = self.cell
        if cell is None or cell.id != int(message["id"]):
            return  # too late: that cell has ended
        if cell.kill_at is None:
            now = time.monotonic()
            cell.interrupted = True
            cell.kill_at = now + float(message["grace_seconds"])
            cell.signal_at = now
            self._ladder()

    def _reply(self, message):
        cell = self.cell
        if cell is not None and cell.id == message["id"] and not cell.killed:
            self.worker.replies.add(message)  # a reply to an earlier cell goes nowhere

    def _ladder(self):
        """Interrupt politely, again every second, and at the end of the grace kill."""
        cell = self.cell
        if cell is None or cell.kill_at is None or cell.killed:
            return
        now = time.monotonic()
        if now >= cell.kill_at:
            cell.killed = True
            self._kill_worker()
        elif now >= cell.signal_at:
            cell.signal_at = now + SIGNAL_EVERY_SECONDS
            usage.set_interrupt_target(self.worker.target, cell.id)
            try:
                os.killpg(self.worker.pid, signal.SIGINT)
            except ProcessLookupError:
                pass

    def _kill_worker(self):
        system.kill_all_but_self(self.own_namespace)

    # What the worker says

    def _read_results(self):
        try:
            data = self.worker.control.recv(CHUNK)
        except (BlockingIOError, socket.timeout):
            return
        except OSError:
            data = b""
        if not data:  # it is dying, or user code closed a descriptor that was not its own
            self.worker.hang_up()
            self._kill_worker()
            return
        try:
            messages = self.worker.decoder.feed(data)
        except framing.FramingError:
            self.worker.hang_up()
            self._kill_worker()
            return
        for message in messages:
            self._result(message)

    def _result(self, message):
        cell = self.cell
        if message.get("type") == "ready":
            self.early_deaths = 0
            self.send("ready", python=str(message.get("python"))[:100])
            _discard_diagnostics()
        elif message.get("type") == "streams_kept":
            self.worker.keep_streams()
        elif message.get("type") == "background":
            text = message.get("text")
            if isinstance(text, str) and message.get("name") in ("stdout", "stderr"):
                self._stream(None, message["name"], text)
        elif cell is None or message.get("id") != cell.id:
            return  # forged by user code; it can only mislead itself
        elif cell.killed:
            return  # its state is being destroyed: "ok, preserved" would be a lie a moment later
        elif message.get("type") in ("display", "clear"):
            self._drain(cell.id, at_end=False)
            framing.write(self.sink, trusted.display(message, cell.id))
            self.worker.acknowledge()
        elif message.get("type") in ("call", "call_off"):
            self._call(message, cell.id)
        elif message.get("type") == "done":
            self._drain(cell.id)
            self.cell = None
            self.worker.replies.forget()
            self.worker.cpu_seconds = trusted.seconds(message.get("cpu_total"))
            self.worker.left_processes = message.get("left_processes") is not False
            framing.write(self.sink, trusted.done(message, cell.id, cell.interrupted))

    def _call(self, message, cell_id):
        call = trusted.host_call(message, cell_id)
        if call is not None:
            frame = framing.encode(call)
            if len(frame) <= MAX_RESULT_BYTES:
                framing.write_frame(self.sink, frame)

    # Output

    def _forward(self, stream):
        text = stream.read()
        of_cell = self.cell is not None and not self.worker.is_late(stream)
        cell_id = self.cell.id if of_cell else None
        if text is None:
            self._rest(cell_id, stream)
            self.worker.close_stream(stream)
        elif text:
            self._stream(cell_id, stream.name, text)

    def _stream(self, cell_id, name, text):
        self.send("stream", id=cell_id, name=name, text=text)

    def _rest(self, cell_id, stream):
        rest = stream.rest()
        if rest:
            self._stream(cell_id, stream.name, rest)

    def _drain(self, cell_id, at_end=True):
        """Forwards what was written so far; at the end of a cell, or before one, unfinished characters too."""
        for stream in self.worker.streams:
            late = self.worker.is_late(stream)
            of = None if late else cell_id
            for text in stream.read_what_is_there():
                if text:
                    self._stream(of, stream.name, text)
            if at_end and not late:
                self._rest(of, stream)

    # Death

    def _reap(self):
        while True:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            spent = used.ru_utime + used.ru_stime
            if pid == self.worker.pid:
                self._worker_died(status, spent, used.ru_maxrss * 1024)
            elif self.cell is not None:
                self.cell.orphans_cpu_seconds += spent

    def _worker_died(self, status, cpu_seconds, peak_memory):
        system.kill_all_but_self(self.own_namespace)  # what it left running must not outlive it
        self._read_last_results()
        cell, self.cell = self.cell, None
        self._drain(cell.id if cell else None)
        for stream in self.worker.streams:
            self._rest(None, stream)
        spent = cpu_seconds - self.worker.cpu_seconds
        if cell is not None:
            spent += cell.orphans_cpu_seconds
        fields = {
            "id": cell.id if cell else None,
            "status": "killed" if cell and cell.killed else "died",
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
            "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "cpu": max(0.0, spent),
            "peak_memory": peak_memory,
            "interrupt_requested": bool(cell and cell.interrupted),
        }
        self.worker.close()
        self.early_deaths += 1
        if self.early_deaths > MAX_EARLY_DEATHS:
            self.stop = True  # it can't even start; why is on stderr
            return
        self._start_worker()
        fields["next_worker"] = self.workers
        self.send("done" if cell else "worker_died", **fields)


    def _read_last_results(self):
        """A result that was sent just before the death is a result."""
        while self.cell is not None and self.worker.control.fileno() >= 0:
            self._read_results()  # its peer is dead, so this ends with the end of the stream


def _private_duplicate(fd):
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 100)


def main():
    system.set_dumpable(False)
    system.set_name("supervisor")
    source, sink = _private_duplicate(0), _private_duplicate(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    system.become_subreaper()
    settings = _first_frame(source)
    try:
        Supervisor(source, sink, settings).run()
    except OSError as e:
        if e.errno != errno.EPIPE:  # EPIPE: the server stopped listening
            raise


def _discard_diagnostics():
    """stderr is a file of the server until the kernel has started; nothing may fill it after that."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)


def _first_frame(source):
    """Reads exactly one frame, for what follows belongs to the selector loop."""
    header = _read_exactly(source, framing.HEADER.size)
    (length,) = framing.HEADER.unpack(header)
    decoder = framing.Decoder(MAX_COMMAND_BYTES)
    return decoder.feed(header + _read_exactly(source, length))[0]


def _read_exactly(fd, count):
    data = b""
    while len(data) < count:
        more = os.read(fd, count - len(data))
        if not more:
            os._exit(0)  # the server went away before it said what it wants
        data += more
    return data
