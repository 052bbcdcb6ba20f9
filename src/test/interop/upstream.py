"""A small MCP server of the Python SDK, 1.x or 2.x, for upstream.sh: upstream.py PORT [json] [stateless]"""

import asyncio
import sys

try:  # 1.x
    from mcp.server.fastmcp import Context, FastMCP

    old = True
except ImportError:
    from mcp.server.mcpserver import Context, MCPServer

    old = False

port, *flags = sys.argv[1:]
options = {"json_response": "json" in flags, "stateless_http": "stateless" in flags}
server = FastMCP("upstream", port=int(port), **options) if old else MCPServer("upstream")


@server.tool()
def echo(text: str) -> str:
    """Says what it is told."""
    return text


@server.tool()
async def slow(text: str, context: Context) -> str:
    """Takes a second, and tells of its progress."""
    for step in range(5):
        await context.report_progress(step, 5)
        await asyncio.sleep(0.2)
    return text


@server.tool()
def fail(text: str) -> str:
    """Fails."""
    raise ValueError(text)


if old:
    server.run("streamable-http")
else:
    server.run("streamable-http", port=int(port), **options)
