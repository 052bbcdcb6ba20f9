"""Frames: a 4-byte big-endian length followed by that many bytes of UTF-8 JSON."""

import json
import os
import struct

HEADER = struct.Struct(">I")


class FramingError(Exception):
    """The peer sent something that is not a frame, or one above the bound."""


def encode(message):
    """Returns the frame of a message. Lone surrogates are replaced, for JSON must be valid UTF-8."""
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    data = body.encode("utf-8", "backslashreplace")
    return HEADER.pack(len(data)) + data


def write(fd, message):
    """Writes one frame; blocks until the kernel has taken all of it."""
    write_frame(fd, encode(message))


def write_frame(fd, frame):
    """The same with what encode returned."""
    view = memoryview(frame)
    while view:
        view = view[os.write(fd, view) :]


class Decoder:
    """Collects bytes and hands out the messages that are complete."""

    def __init__(self, max_bytes):
        self._max = max_bytes
        self._buffer = bytearray()

    def feed(self, data):
        self._buffer += data
        messages = []
        while len(self._buffer) >= HEADER.size:
            (length,) = HEADER.unpack_from(self._buffer)
            if length > self._max:
                raise FramingError("frame of %d bytes, bound is %d" % (length, self._max))
            end = HEADER.size + length
            if len(self._buffer) < end:
                break
            body = bytes(self._buffer[HEADER.size : end])
            del self._buffer[:end]
            try:
                message = json.loads(body)
            except ValueError as e:
                raise FramingError("not JSON") from e
            if not isinstance(message, dict):
                raise FramingError("not an object")
            messages.append(message)
        return messages
