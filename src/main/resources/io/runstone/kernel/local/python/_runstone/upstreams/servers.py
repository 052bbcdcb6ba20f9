"""Upstream servers as objects whose attributes are their tools."""

import time

from . import errors, requests, signatures, tools

KEPT_SECONDS = 30
_SHOWN = 50


class _Kept:
    """Something the server was asked for, until it is asked again."""

    def __init__(self, method, body, make):
        self._method = method
        self._body = body
        self._make = make
        self._value = None
        self._until = 0.0
        self._loading = None

    def get(self, fresh=False):
        if fresh or time.monotonic() >= self._until:
            self._keep(requests.ask(self._method, self._body))
        return self._value

    async def get_async(self, fresh=False):
        import asyncio

        if fresh or time.monotonic() >= self._until:
            loop = asyncio.get_running_loop()
            if self._loading is None or self._loading[0] is not loop or self._loading[1].done():
                task = loop.create_task(requests.ask_async(self._method, self._body))
                self._loading = (loop, task)
            self._keep(await asyncio.shield(self._loading[1]))
        return self._value

    def _keep(self, answer):
        self._value = self._make(answer)
        self._until = time.monotonic() + KEPT_SECONDS


class ServerInfo:
    """A server that can be used. connect_url is where the user has to connect it first, or None."""

    __module__ = "upstream"

    def __init__(self, fields):
        self.name = fields["name"]
        self.title = fields.get("title") or self.name
        self.description = fields.get("description") or ""
        self.connect_url = fields.get("connect")

    def __repr__(self):
        title = "" if self.title == self.name else " (%s)" % self.title
        text = ": " + self.description if self.description else ""
        link = self.connect_url
        connect = " [the user has to connect it first: %s]" % link if link else ""
        return self.name + title + text + connect


class ServerList(list):
    """Servers, one a line."""

    __module__ = "upstream"

    def __repr__(self):
        return "\n".join(map(repr, self)) or "no upstream servers"


_servers = _Kept("servers", {}, lambda answer: ServerList(map(ServerInfo, answer)))
_tools = {}


def infos(fresh=False):
    return _servers.get(fresh)


async def infos_async():
    return await _servers.get_async(fresh=True)


def _kept_tools(server):
    if server not in _tools:
        _tools[server] = _Kept("tools", {"server": server}, lambda answer: _list(server, answer))
    return _tools[server]


def _list(server, answer):
    return tools.ToolList(tools.known(server, answer))


def find_server(name):
    """The server of a name; LookupError if there is none."""
    for fresh in (False, True):
        for info in infos(fresh):
            if info.name == name:
                return Server(info)
    known = [info.name for info in infos()]
    raise errors.NotFound(
        "there is no upstream server called %r%s upstream.servers() lists them"
        % (name, signatures.near(name, known))
    )


def _matching(found, name, is_attribute):
    for tool in found:
        if tool.name == name or (is_attribute and tools.identifier(tool.name) == name):
            return tool
    return None


def _unknown_tool(server, name, found):
    known = [tools.identifier(tool.name) for tool in found]
    return errors.NotFound(
        "%s has no tool %r%s upstream.%s.tools() lists them"
        % (server, name, signatures.near(name, known) or ";", server)
    )


def find_tool(server, name, is_attribute):
    """The tool of a name, exact ones first; a list that lacks it is fetched again."""
    for fresh in (False, True):
        found = _kept_tools(server).get(fresh)
        tool = _matching(found, name, False) or _matching(found, name, is_attribute)
        if tool is not None:
            return tool
    raise _unknown_tool(server, name, found)


async def find_tool_async(server, name, is_attribute):
    """The same for coroutines."""
    for fresh in (False, True):
        found = await _kept_tools(server).get_async(fresh)
        tool = _matching(found, name, False) or _matching(found, name, is_attribute)
        if tool is not None:
            return tool
    raise _unknown_tool(server, name, found)


def _names(server):
    """The attributes of a server; completion must not fail because it can't be asked."""
    try:
        found = _kept_tools(server).get()
    except (errors.UpstreamError, RuntimeError):
        found = ()
    return ["tools", "call"] + [tools.identifier(tool.name) for tool in found]


class Server:
    """An upstream server; its tools are its attributes."""

    __module__ = "upstream"

    def __init__(self, info):
        self._info = info

    def tools(self):
        """Its tools, as a list that prints as one line each."""
        return tools.ToolList(_kept_tools(self._info.name).get())

    def call(self, tool, arguments=None, *, timeout=None):
        """Calls a tool by the name that the server has for it."""
        return self[tool].with_options(timeout=timeout)(dict(arguments or {}))

    def __getitem__(self, tool):
        return find_tool(self._info.name, tool, False)

    def __getattr__(self, name):
        if not name.startswith("_"):
            try:
                return find_tool(self._info.name, name, True)
            except errors.NotFound as e:
                message = str(e)
        else:
            message = "upstream servers have no attribute %r" % name
        raise AttributeError(message)

    def __dir__(self):
        return _names(self._info.name)

    @property
    def __doc__(self):
        return "\n".join(self._doc())

    def _doc(self):
        yield self._info.description or "An upstream server."
        yield ""
        if self._info.connect_url:
            yield "The user has to connect it first: " + self._info.connect_url
            return
        yield "Tools; help(upstream.%s.NAME) tells more of one:" % self._info.name
        try:
            found = self.tools()
        except errors.UpstreamError as e:
            yield "    They can't be listed now: %s" % e
            return
        for tool in found[:_SHOWN]:
            yield "    %r - %s" % (tool, tools.short(tool.description))
        if len(found) > _SHOWN:
            yield "    and %d more; upstream.search(words) finds some" % (len(found) - _SHOWN)

    def __repr__(self):
        return "<upstream server %r>" % self._info


class AsyncServer:
    """An upstream server for coroutines: await its tools."""

    __module__ = "upstream"

    def __init__(self, name):
        self._name = name

    async def tools(self):
        """Its tools."""
        return tools.ToolList(await _kept_tools(self._name).get_async())

    async def call(self, tool, arguments=None, *, timeout=None):
        """Calls a tool by the name that the server has for it."""
        return await self[tool].with_options(timeout=timeout)(dict(arguments or {}))

    def __getitem__(self, tool):
        return AsyncTool(self._name, tool, False)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError("upstream servers have no attribute %r" % name)
        return AsyncTool(self._name, name, True)

    def __dir__(self):
        return _names(self._name)

    def __repr__(self):
        return "<upstream server %s, to be awaited>" % self._name


class AsyncTool:
    """A tool to be awaited. It is looked for when it is called, so that naming it waits for nothing."""

    __module__ = "upstream"

    def __init__(self, server, name, is_attribute, options=None):
        self._found = (server, name, is_attribute)
        self._options = options or {}

    def with_options(self, *, timeout=None, raw=False):
        """The same tool; timeout in seconds, and raw for the whole result as MCP has it."""
        return AsyncTool(*self._found, options={"timeout": timeout, "raw": raw})

    async def __call__(self, /, *args, **named):
        tool = await find_tool_async(*self._found)
        return await tool.with_options(**self._options).call_async(*args, **named)

    @property
    def __signature__(self):
        return find_tool(*self._found).__signature__

    @property
    def __doc__(self):
        return find_tool(*self._found).__doc__

    def __repr__(self):
        return "<tool %s of upstream server %s, to be awaited>" % (self._found[1], self._found[0])
