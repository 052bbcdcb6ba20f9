"""The Python SDK of the 2.x line, which speaks both eras: python2.py BASE_URL auto|legacy"""

import asyncio
import sys

from mcp import Client

from checks import check, done, expect
from scenario import scenario


def wire(model) -> dict:
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


class Python2:
    def __init__(self, client: Client):
        self._client = client

    async def tools(self) -> list[dict]:
        return wire(await self._client.list_tools())["tools"]

    async def call(self, name: str, arguments: dict, progress=None) -> dict:
        return wire(await self._client.call_tool(name, arguments, progress_callback=progress))

    async def cancelled_call(self, name: str, arguments: dict, seconds: float) -> None:
        try:
            result = await asyncio.wait_for(self._client.call_tool(name, arguments), seconds)
        except TimeoutError:
            return
        raise AssertionError(f"the call came back: {wire(result)}")

    async def resources(self) -> list[dict]:
        return wire(await self._client.list_resources())["resources"]

    async def templates(self) -> list[dict]:
        return wire(await self._client.list_resource_templates())["resourceTemplates"]

    async def read(self, uri: str) -> list[dict]:
        return wire(await self._client.read_resource(uri))["contents"]


async def main(base: str, mode: str) -> None:
    print(f"--- python2 {mode}", flush=True)
    version = "2026-07-28" if mode == "auto" else "2025-11-25"
    with check("all"):  # says "ok" when the connection was closed in order, too
        async with Client(base + "/mcp", mode=mode) as client:
            with check("connect") as this:
                expect(client.protocol_version == version, f"protocol {client.protocol_version}, not {version}")
                this.said = f"protocol {client.protocol_version}"
            # In 2026-07-28 closing the response stream is the cancellation; only a write tells the server of it.
            await scenario(Python2(client), cancel_seconds=12 if mode == "auto" else 5)
    done(f"python2 {mode}")


asyncio.run(main(sys.argv[1].rstrip("/"), sys.argv[2]))
