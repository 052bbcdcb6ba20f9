"""Your other MCP servers, such as a CRM, a calendar or a database, as Python objects.

    import upstream
    upstream.servers()                      # which there are
    upstream.crm.tools()                    # the tools of one, with what they take
    upstream.search("overdue invoices")     # tools of all servers, by words
    help(upstream.crm.find_contact)         # what a tool does, takes and returns
    upstream.crm.find_contact(text="Ada")   # a call, and its result as a value

Results are plain values: the tool's structured content, or else its text; pictures are shown when they
are the last expression of a cell or are passed to display(). Nobody logs in here: the calls are made
by the server on the user's behalf, while the cell runs.

    upstream.crm["find-contact"](...)       # a tool whose name is no identifier
    upstream.crm.find_contact.with_options(timeout=5)(text="Ada")
    await asyncio.gather(*(upstream.aio.crm.find_contact(text=t) for t in names))   # at the same time

Failures are exceptions below upstream.UpstreamError: ToolError (the tool says that it failed),
ConsentRequired (the user has to open .url first), NotAllowed, NotFound, Rejected, Timeout,
UpstreamUnavailable, LimitReached, Cancelled.
"""

import sys

from _runstone.upstreams.errors import (
    Cancelled,
    ConsentRequired,
    LimitReached,
    NotAllowed,
    NotFound,
    Rejected,
    Timeout,
    ToolError,
    UpstreamError,
    UpstreamUnavailable,
)
from _runstone.upstreams.module import Aio, UpstreamModule, search
from _runstone.upstreams.module import list_servers as servers
from _runstone.upstreams.values import Audio, Image, Resource, ResourceLink

__all__ = ["servers", "search", "aio"]

aio = Aio()
del Aio

sys.modules[__name__].__class__ = UpstreamModule
del UpstreamModule, sys
