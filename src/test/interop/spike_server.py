"""The server of the three scenarios, by the Python SDK 1.x: spike_server.py PORT

It has a tool ``echo(payload)``, which waits 50 ms, and one ``seen_authorization()``, which answers the Authorization header
of the request that called it. Ends when it is terminated.
"""

import asyncio
import logging
import sys

import uvicorn
from mcp.server.fastmcp import Context, FastMCP

logging.getLogger("mcp").setLevel(logging.WARNING)
mcp = FastMCP(name="spike-target", streamable_http_path="/mcp")


@mcp.tool()
async def echo(payload: str) -> str:
    """Echoes the payload after 50 ms."""
    await asyncio.sleep(0.05)
    return f"echoed:{payload}"


@mcp.tool()
async def seen_authorization(ctx: Context) -> str:
    """Answers the Authorization header of this request."""
    return ctx.request_context.request.headers.get("authorization", "")


uvicorn.run(mcp.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
