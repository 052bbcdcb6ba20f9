"""Results of tools as Python values."""

import base64
import binascii

from . import errors


class _Binary:
    """Bytes of a media type."""

    __module__ = "upstream"

    def __init__(self, data, mime_type):
        self.data = data
        self.mime_type = mime_type

    def save(self, path):
        """Writes the bytes to a file."""
        with open(path, "wb") as f:
            f.write(self.data)

    def __repr__(self):
        return "<%s %s, %d bytes>" % (type(self).__name__, self.mime_type, len(self.data))


class Image(_Binary):
    """A picture; the last expression of a cell, or display(), shows it. data has the bytes."""

    __module__ = "upstream"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), self.mime_type: self.data}

    def _repr_png_(self):
        return self.data if self.mime_type == "image/png" else None


class Audio(_Binary):
    """A sound; data has the bytes."""

    __module__ = "upstream"


class Resource(_Binary):
    """A resource that came along: uri, mime_type, and text or data."""

    __module__ = "upstream"

    def __init__(self, uri, mime_type, text, data):
        super().__init__(data, mime_type)
        self.uri = uri
        self.text = text

    def __repr__(self):
        return "<Resource %s %s, %d bytes>" % (self.uri, self.mime_type or "", len(self.data))


class ResourceLink:
    """Names a resource of the server: uri, name, title, description, mime_type, size."""

    __module__ = "upstream"

    def __init__(self, block):
        self.uri = block.get("uri")
        self.name = block.get("name")
        self.title = block.get("title")
        self.description = block.get("description")
        self.mime_type = block.get("mimeType")
        self.size = block.get("size")

    def __repr__(self):
        return "<ResourceLink %s %s>" % (self.uri, self.title or self.name or "")


def of(result, schema):
    """The value of a tool's result; raises ToolError if the tool says that it failed."""
    if not isinstance(result, dict):
        raise errors.UpstreamUnavailable("the server's answer is no result of a tool")
    blocks = result.get("content")
    content = [_block(b) for b in blocks if isinstance(b, dict)] if isinstance(blocks, list) else []
    if result.get("isError"):
        texts = [c for c in content if isinstance(c, str)]
        raise errors.ToolError("\n".join(texts) or "the tool failed and did not say why", content)
    structure = result.get("structuredContent")
    if structure is not None:
        return structure["result"] if wraps(schema) and _is_wrapped(structure) else structure
    if len(content) == 1:
        return content[0]
    return content or None


def wraps(schema):
    """Whether a tool's structure is but an envelope for the one value that it returns."""
    if not isinstance(schema, dict):
        return False
    properties = schema.get("properties")
    return bool(schema.get("x-fastmcp-wrap-result")) or (
        isinstance(properties, dict) and list(properties) == ["result"]
    )


def _is_wrapped(structure):
    return isinstance(structure, dict) and list(structure) == ["result"]


def _block(block):
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return block["text"]
    if kind in ("image", "audio"):
        make = Image if kind == "image" else Audio
        return make(_bytes(block.get("data")), str(block.get("mimeType") or "application/octet-stream"))
    if kind == "resource_link":
        return ResourceLink(block)
    if kind == "resource" and isinstance(block.get("resource"), dict):
        inner = block["resource"]
        text = inner.get("text") if isinstance(inner.get("text"), str) else None
        data = _bytes(inner.get("blob")) if text is None else text.encode("utf-8", "surrogatepass")
        return Resource(inner.get("uri"), inner.get("mimeType"), text, data)
    return block


def _bytes(text):
    try:
        return base64.b64decode(text) if isinstance(text, str) else b""
    except (binascii.Error, ValueError):
        return b""
