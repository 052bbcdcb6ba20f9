"""Makes a message of our own from what a worker says; user code can write to the worker's channel.

Only known fields of the right type and a bounded size go on to the server.
"""

MAX_TEXT = 1024 * 1024
MAX_NAME = 1000
MAX_TYPES = 50
MAX_BODY = 8 * 1024 * 1024
METHODS = ("servers", "tools", "search", "call")


def text(value, limit=MAX_TEXT):
    return value[:limit] if isinstance(value, str) else ""


def seconds(value):
    """A plausible number of seconds; 0 for anything else, also for infinity and what is no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.0
    return float(value) if 0 <= value < 1e9 else 0.0


def size(value):
    """A plausible number of bytes; 0 for anything else."""
    plausible = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 50
    return value if plausible else 0


def bundle(value):
    """Representations by media type."""
    if not isinstance(value, dict):
        return {}
    known = [(k, v) for k, v in value.items() if isinstance(k, str) and isinstance(v, str)]
    return {k[:MAX_NAME]: text(v) if k == "text/plain" else v for k, v in known[:MAX_TYPES]}


def display(message, cell_id):
    display_id = message.get("display_id")
    if message.get("type") == "clear":
        return {"type": "clear", "id": cell_id, "wait": message.get("wait") is True}
    return {
        "type": "display",
        "id": cell_id,
        "data": bundle(message.get("data")),
        "display_id": text(display_id, MAX_NAME) if isinstance(display_id, str) else None,
        "update": message.get("update") is True,
    }


def host_call(message, cell_id):
    """A call that code makes to the server, or the end of one; None for what is none."""
    number, body = message.get("call"), message.get("body")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 1 << 53:
        return None
    if message["type"] == "call_off":
        return {"type": "host_call_off", "id": cell_id, "call": number}
    if message.get("method") not in METHODS or not isinstance(body, str) or len(body) > MAX_BODY:
        return None
    return {"type": "host_call", "id": cell_id, "call": number, "method": message["method"], "body": body}


def done(message, cell_id, interrupt_requested):
    result = {
        "type": "done",
        "id": cell_id,
        "status": "ok",
        "cpu": seconds(message.get("cpu")),
        "peak_memory": size(message.get("peak_memory")),
        "interrupt_requested": interrupt_requested,
    }
    error = message.get("error")
    if isinstance(error, dict):
        result["status"] = "error"
        result["error"] = {
            "ename": text(error.get("ename"), MAX_NAME),
            "evalue": text(error.get("evalue")),
            "traceback": text(error.get("traceback")),
        }
    elif "data" in message:
        result["data"] = bundle(message["data"])
    return result
