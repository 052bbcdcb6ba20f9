"""A tool of an upstream server as something to call."""

import re

from . import requests, signatures, values

_MAX_LINE = 120


class Tool:
    """A tool of an upstream server. Call it with its arguments; help() of it tells which."""

    __module__ = "upstream"

    def __init__(self, server, definition, options=None):
        self._server = server
        self._definition = definition
        self._options = options or {}
        self._made = None

    @property
    def name(self):
        """The name that the server has for it."""
        return self._definition["name"]

    @property
    def server(self):
        """The name of its server."""
        return self._server

    @property
    def description(self):
        text = self._definition.get("description")
        return text if isinstance(text, str) else ""

    @property
    def input_schema(self):
        """The JSON schema of its arguments."""
        return self._definition.get("inputSchema")

    @property
    def output_schema(self):
        """The JSON schema of its structured result, or None."""
        return self._definition.get("outputSchema")

    @property
    def _parameters(self):
        if self._made is None:
            self._made = signatures.Parameters(
                "%s.%s" % (self._server, identifier(self.name)), self.input_schema, self.output_schema
            )
        return self._made

    @property
    def __signature__(self):
        return self._parameters.signature

    @property
    def __name__(self):
        return identifier(self.name)

    @property
    def __doc__(self):
        return "\n".join(self._doc())

    def _doc(self):
        yield self.description.strip() or "The server does not say what this does."
        yield ""
        yield "upstream.%r" % self
        lines = list(self._parameters.lines())
        if lines:
            yield ""
            yield "Parameters:"
            yield from ("    " + line for line in lines)
        if identifier(self.name) != self.name:
            yield ""
            yield "Its name at the server is %r: upstream.%s[%r](...)" % (self.name, self._server, self.name)
        hints = self._definition.get("annotations")
        if isinstance(hints, dict):
            if hints.get("readOnlyHint") is True:
                yield ""
                yield "The server says that it only reads."
            elif hints.get("destructiveHint") is True:
                yield ""
                yield "The server says that it can destroy or overwrite something."

    def with_options(self, *, timeout=None, raw=False):
        """The same tool; timeout in seconds, and raw for the whole result as MCP has it."""
        other = Tool(self._server, self._definition, {"timeout": timeout, "raw": raw})
        other._made = self._parameters
        return other

    def __call__(self, /, *args, **named):
        return self._value(requests.ask("call", self._body(args, named)))

    async def call_async(self, /, *args, **named):
        """The same for coroutines; what upstream.aio calls."""
        return self._value(await requests.ask_async("call", self._body(args, named)))

    def _body(self, args, named):
        return {
            "server": self._server,
            "tool": self.name,
            "arguments": self._parameters.bind(args, named),
            "timeout": self._options.get("timeout"),
        }

    def _value(self, result):
        return result if self._options.get("raw") else values.of(result, self.output_schema)

    def __repr__(self):
        return "%s.%s%s" % (self._server, identifier(self.name), self._parameters.signature)


def identifier(name):
    """A tool's name as an attribute."""
    made = re.sub(r"\W", "_", name)
    if not made or made[0] == "_" or made[0].isdigit():
        made = "tool_" + made.lstrip("_")
    return made if signatures.is_name(made) and made not in ("tools", "call") else made + "_"


def short(text):
    """The first sentence, on one line."""
    line = " ".join(text.split())
    end = re.search(r"[.!?](\s|$)", line)
    line = line[: end.start() + 1] if end else line
    return line if len(line) <= _MAX_LINE else line[: _MAX_LINE - 1] + "…"


def known(server, definitions):
    """The tools of definitions; what is none is left out."""
    for definition in definitions:
        if isinstance(definition, dict) and isinstance(definition.get("name"), str):
            yield Tool(server, definition)


class ToolList(list):
    """Tools, one a line."""

    __module__ = "upstream"
    unreachable = ()

    def __repr__(self):
        lines = ["%r - %s" % (tool, short(tool.description)) for tool in self]
        lines += ["%s could not be asked: %s" % (name, why) for name, why in self.unreachable]
        return "\n".join(lines) or "no tools"
