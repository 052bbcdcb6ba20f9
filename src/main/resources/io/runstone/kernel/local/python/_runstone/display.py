"""Rich output in Jupyter's terms: mime bundles, display(), and figures of matplotlib.

A bundle maps media types to text; binary representations are base64, as in Jupyter's messages.
"""

import base64
import os
import sys

MAX_REPRESENTATION = 6 * 1024 * 1024
MAX_TEXT = 512 * 1024
_current = []
_BINARY = ("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf")
_METHODS = (
    ("text/html", "_repr_html_"),
    ("text/markdown", "_repr_markdown_"),
    ("text/latex", "_repr_latex_"),
    ("image/svg+xml", "_repr_svg_"),
    ("image/png", "_repr_png_"),
    ("image/jpeg", "_repr_jpeg_"),
    ("application/pdf", "_repr_pdf_"),
    ("application/json", "_repr_json_"),
    ("application/javascript", "_repr_javascript_"),
)


def bounded(text, limit=MAX_TEXT):
    """The text, or its two ends and how much is left out between them; lone surrogates as escapes."""
    if len(text) <= limit:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    half = limit // 2
    dropped = len(text) - 2 * half
    cut = "%s\n... %d characters left out ...\n%s" % (text[:half], dropped, text[-half:])
    return cut.encode("utf-8", "backslashreplace").decode("utf-8")


def bundle(obj):
    """All representations that an object offers; at least text/plain.

    An object's own methods may fail or lie; then that representation is missing, and a failing repr
    is raised as what it is, an error of the cell.
    """
    data = {}
    if not isinstance(obj, type):
        data.update(_own_bundle(obj))
        for media_type, method in _METHODS:
            if media_type not in data:
                value = _call(obj, method)
                if value is not None:
                    data[media_type] = value
    clean = {"text/plain": bounded(str(data["text/plain"]) if "text/plain" in data else repr(obj))}
    room = MAX_REPRESENTATION
    for media_type, value in data.items():
        if media_type != "text/plain":
            text = _as_text(media_type, value)
            if text is not None and len(text) <= room:
                room -= len(text)
                clean[media_type] = text
    return clean


def texts(data):
    """A bundle that somebody else made, as text that fits into a message."""
    clean = {"text/plain": bounded(str(data.get("text/plain", "")))}
    for media_type, value in data.items():
        text = None if media_type == "text/plain" else _as_text(media_type, value)
        if text is not None:
            clean[media_type] = text
    return clean


def _own_bundle(obj):
    value = _call(obj, "_repr_mimebundle_", include=None, exclude=None)
    if isinstance(value, tuple):
        value = value[0]
    return dict(value) if isinstance(value, dict) else {}


def _call(obj, method, **arguments):
    function = getattr(type(obj), method, None)
    if function is None:
        return None
    try:
        value = function(obj, **arguments)
    except Exception:
        return None
    if isinstance(value, tuple) and method != "_repr_mimebundle_":
        value = value[0]  # with metadata, which nobody here uses
    return value


def _as_text(media_type, value):
    """A representation as text that fits into a message; None if it can't be one."""
    if not isinstance(media_type, str):
        return None
    if isinstance(value, (bytes, bytearray)):
        text = base64.b64encode(bytes(value)).decode("ascii")
    elif isinstance(value, str):
        text = "".join(value.split()) if media_type in _BINARY else value
    elif media_type == "application/json" or media_type.endswith("+json"):
        import json

        try:
            text = json.dumps(value)
        except (TypeError, ValueError):
            return None
    else:
        return None
    return text if len(text) <= MAX_REPRESENTATION else None


def show_figures():
    """Shows the figures that are open; what plt.show() does."""
    for displayer in _current:
        displayer.figures()


class Displayer:
    """display() and its kin, bound to what sends messages to the server."""

    def __init__(self, send):
        self._send = send
        self._count = 0
        _current[:] = [self]

    def display(self, *objs, display_id=None, raw=False, **_ignored):
        """Shows objects in their richest form. Returns a handle when display_id is given."""
        if display_id is True:
            self._count += 1
            display_id = "display-%d-%d" % (os.getpid(), self._count)
        for obj in objs:
            self._publish(obj, raw, display_id, False)
        return DisplayHandle(self, display_id) if display_id is not None else None

    def update_display(self, obj, *, display_id, raw=False, **_ignored):
        """Shows an object in the place of what was displayed with that display_id."""
        self._publish(obj, raw, display_id, True)

    def clear_output(self, wait=False):
        """Marks what was shown so far as done with."""
        self._send({"type": "clear", "wait": bool(wait)})

    def _publish(self, obj, raw, display_id, update):
        data = _raw_bundle(obj) if raw else bundle(obj)
        self._send({"type": "display", "data": data, "display_id": _name(display_id), "update": update})

    def figures(self, close=True):
        """Shows every open figure of matplotlib as PNG; what is shown is closed, as in a notebook."""
        manager_module = sys.modules.get("matplotlib._pylab_helpers")
        if manager_module is None:
            return
        for manager in manager_module.Gcf.get_all_fig_managers():
            figure = manager.canvas.figure
            if figure.axes or figure.lines or figure.patches or figure.texts or figure.images:
                self._send(
                    {
                        "type": "display",
                        "data": {"text/plain": repr(figure), "image/png": _png(figure)},
                        "display_id": None,
                        "update": False,
                    }
                )
            if close:
                manager_module.Gcf.destroy(manager)


def _png(figure):
    import io

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight")
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def _raw_bundle(obj):
    if not isinstance(obj, dict):
        raise TypeError("display(raw=True) takes a dictionary of media types")
    clean = {}
    for media_type, value in obj.items():
        text = _as_text(media_type, value)
        if text is not None:
            clean[media_type] = text
    return clean


def _name(display_id):
    return None if display_id is None else str(display_id)[:200]


class DisplayHandle:
    """What display(..., display_id=...) returns; update() replaces what is shown."""

    def __init__(self, displayer, display_id):
        self._displayer = displayer
        self.display_id = display_id

    def display(self, obj, **options):
        self._displayer.display(obj, display_id=self.display_id, **options)

    def update(self, obj, **options):
        self._displayer.update_display(obj, display_id=self.display_id, **options)
