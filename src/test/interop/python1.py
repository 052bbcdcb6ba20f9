"""The Python SDK of the 1.x line: python1.py BASE_URL"""

import asyncio
import contextlib
import sys

import mcp.types as types
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from checks import check, done, expect, note
from scenario import scenario

VERSION = "2025-11-25"


def wire(model) -> dict:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


class Python1:
    def __init__(self, session: ClientSession):
        self._session = session

    async def tools(self) -> list[dict]:
        return wire(await self._session.list_tools())["tools"]

    async def call(self, name: str, arguments: dict, progress=None) -> dict:
        return wire(await self._session.call_tool(name, arguments, progress_callback=progress))

    async def cancelled_call(self, name: str, arguments: dict, seconds: float) -> None:
        request = self._session._request_id  # the next one's; the client tells it nowhere else
        call = asyncio.create_task(self._session.call_tool(name, arguments))
        await asyncio.sleep(seconds)
        expect(not call.done(), "the call came back before it was cancelled")
        params = types.CancelledNotificationParams(requestId=request, reason="no longer needed")
        await self._session.send_notification(
            types.ClientNotification(types.CancelledNotification(params=params))
        )
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await call

    async def resources(self) -> list[dict]:
        return wire(await self._session.list_resources())["resources"]

    async def templates(self) -> list[dict]:
        return wire(await self._session.list_resource_templates())["resourceTemplates"]

    async def read(self, uri: str) -> list[dict]:
        return wire(await self._session.read_resource(uri))["contents"]


async def main(base: str) -> None:
    print("--- python1", flush=True)
    note("mcp 1.x tells the server nothing when a call is given up: notifications/cancelled is sent by this script")
    with check("all"):  # says "ok" when the connection was closed in order, too
        async with (
            streamable_http_client(base + "/mcp") as (read, write, _),
            ClientSession(read, write) as session,
        ):
            with check("connect") as this:
                connected = await session.initialize()
                expect(connected.protocolVersion == VERSION, f"protocol {connected.protocolVersion}")
                this.said = f"protocol {connected.protocolVersion}"
            await scenario(Python1(session), cancel_seconds=5)
    done("python1")


asyncio.run(main(sys.argv[1].rstrip("/")))
