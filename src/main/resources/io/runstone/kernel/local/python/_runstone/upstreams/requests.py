"""Questions to the server as JSON, and its answers as values or exceptions."""

import base64
import json

from .. import hostcalls
from . import errors


def ask(method, body):
    """Asks and waits."""
    text = _text(body)
    try:
        return json.loads(hostcalls.call(method, text))
    except hostcalls.Refused as e:
        refused = e
    raise errors.of(refused.kind, refused.message, refused.link) from None


async def ask_async(method, body):
    """The same for coroutines."""
    text = _text(body)
    try:
        return json.loads(await hostcalls.call_async(method, text))
    except hostcalls.Refused as e:
        refused = e
    raise errors.of(refused.kind, refused.message, refused.link) from None


def _text(body):
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False, default=_plain)
    except ValueError as e:
        reason = e
    raise ValueError("the arguments can't be written as JSON: %s" % reason) from None


def _plain(value):
    """What JSON has no word for, as the nearest that it has."""
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(value).decode("ascii")
    for method in ("tolist", "isoformat", "item", "__fspath__"):  # numpy and pandas, dates, paths
        make = getattr(value, method, None)
        if callable(make) and not isinstance(value, type):
            return make()
    raise TypeError("an argument of type %s can't be sent; pass what JSON knows" % type(value).__name__)
