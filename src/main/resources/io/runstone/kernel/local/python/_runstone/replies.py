"""The way of the server's replies to the worker: a pipe that the supervisor never waits for."""

import collections
import os
import selectors

from . import framing

MAX_WAITING_BYTES = 64 * 1024 * 1024


class Replies:
    """The write end of the pipe, and what waits for room in it.

    A worker that does not read, such as one whose C code keeps the GIL, has replies wait here. Above a
    bound they are left out, and who waits for one is told so.
    """

    def __init__(self, fd, selector):
        self._fd = fd
        self._selector = selector
        self._frames = collections.deque()
        self._waiting = 0
        self._begun = False  # part of the first frame is in the pipe, so the rest has to follow
        self._registered = False
        os.set_blocking(fd, False)

    def add(self, reply):
        if self._fd is None:
            return
        frame = framing.encode(reply)
        if self._waiting and self._waiting + len(frame) > MAX_WAITING_BYTES:
            refusal = "the answer was dropped, for too many answers waited to be read; call less at once"
            frame = framing.encode(
                {
                    "id": reply["id"],
                    "call": reply["call"],
                    "ok": False,
                    "kind": "limit",
                    "message": refusal,
                }
            )
        self._frames.append(memoryview(frame))
        self._waiting += len(frame)
        self.flush()

    def flush(self):
        """Writes what there is room for; to be called again when there is more."""
        try:
            while self._frames:
                frame = self._frames[0]
                written = os.write(self._fd, frame)
                self._waiting -= written
                if written < len(frame):
                    self._frames[0] = frame[written:]
                    self._begun = True
                else:
                    self._frames.popleft()
                    self._begun = False
        except BlockingIOError:
            pass
        except OSError:  # the worker dies, or user code closed its end
            self.close()
            return
        self._watch(bool(self._frames))

    def forget(self):
        """Leaves out what nobody waits for any more: the cell has ended."""
        kept = 1 if self._begun else 0
        while len(self._frames) > kept:
            self._waiting -= len(self._frames.pop())
        if self._fd is not None:
            self._watch(bool(self._frames))

    def _watch(self, wanted):
        if wanted and not self._registered:
            self._selector.register(self._fd, selectors.EVENT_WRITE, "replies")
        elif self._registered and not wanted:
            self._selector.unregister(self._fd)
        self._registered = wanted

    def close(self):
        if self._fd is not None:
            self._watch(False)
            os.close(self._fd)
            self._fd = None
        self._frames.clear()
        self._waiting = 0
