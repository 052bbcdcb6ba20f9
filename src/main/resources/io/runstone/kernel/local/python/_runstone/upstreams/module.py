"""The module upstream itself: a module whose attributes are servers."""

import types

from . import errors, requests, servers, tools


def _found(answer):
    found = tools.ToolList()
    for match in answer["tools"]:
        found += tools.known(match["server"], [match["tool"]])
    found.unreachable = [
        (u["server"], errors.of(u.get("kind"), str(u.get("message")), u.get("link")))
        for u in answer["unreachable"]
    ]
    return found


def list_servers():
    """The servers that can be used, as a list that prints as one line each."""
    return servers.ServerList(servers.infos(fresh=True))


def search(text, limit=10):
    """Finds tools of all servers by words in their names and descriptions, best first."""
    return _found(requests.ask("search", {"query": text, "limit": limit}))


list_servers.__name__ = list_servers.__qualname__ = "servers"
list_servers.__module__ = search.__module__ = "upstream"


def _names():
    try:
        return [info.name for info in servers.infos()]
    except (errors.UpstreamError, RuntimeError):  # completion and help() work without a cell too
        return []


class Aio:
    """The servers for coroutines: await upstream.aio.SERVER.TOOL(...)."""

    __module__ = "upstream"

    async def servers(self):
        """The servers that can be used."""
        return servers.ServerList(await servers.infos_async())

    async def search(self, text, limit=10):
        """Finds tools of all servers by words."""
        return _found(await requests.ask_async("search", {"query": text, "limit": limit}))

    def __getitem__(self, name):
        return servers.AsyncServer(name)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError("upstream.aio has no attribute %r" % name)
        return servers.AsyncServer(name)

    def __dir__(self):
        return ["servers", "search"] + _names()

    def __repr__(self):
        return "<upstream servers, to be awaited>"


class UpstreamModule(types.ModuleType):
    """The type of the module, for a module's own attributes can't be looked up otherwise."""

    def __getattr__(self, name):
        if not name.startswith("_"):
            try:
                return servers.find_server(name)
            except errors.NotFound as e:
                message = str(e)
        else:
            message = "module 'upstream' has no attribute %r" % name
        raise AttributeError(message)

    def __getitem__(self, name):
        return servers.find_server(name)

    def __dir__(self):
        return [name for name in self.__dict__ if not name.startswith("_")] + _names()

    @property
    def __doc__(self):
        text = self.__dict__["__doc__"]
        try:
            found = servers.infos()
        except (errors.UpstreamError, RuntimeError):
            return text
        return "%s\nServers\n%s" % (text, "\n".join("    %r" % info for info in found) or "    none")
