"""What every client written in Python does with the server.

A client is an object with ``tools()``, ``call(name, arguments, progress=None)``, ``cancelled_call(name, arguments,
seconds)``, ``resources()``, ``templates()`` and ``read(uri)``, all asynchronous. Results have the wire's names.
"""

import asyncio
import base64
import re
import time
import uuid

from checks import check, expect

TOOLS = {
    "execute_python_code",
    "start_python_session",
    "list_python_sessions",
    "stop_python_session",
    "interrupt_python_session",
    "restart_python_session",
}
LINK = re.compile(r"runstone://executions/[0-9a-f-]+/outputs/[0-9]+")
TEMPLATE = re.compile(r"runstone://executions/\{.+\}/outputs/\{.+\}")
BIG = 300_000
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PICTURE = f"""
import base64
class Dot:
    def _repr_png_(self):
        return base64.b64decode("{PNG}")
Dot()
"""
TICKS = "import time\nfor i in range(3):\n    print('tick', i, flush=True)\n    time.sleep(1)"


async def scenario(client, cancel_seconds: float) -> None:
    """Runs all checks on a connected client; so long a session may take to be free after a cancellation."""
    session = f"interop-{uuid.uuid4().hex[:8]}"

    async def run(command: str, seconds: float = 10, progress=None) -> dict:
        call = client.call("execute_python_code", {"session_id": session, "command": command}, progress)
        return (await asyncio.wait_for(call, seconds))["structuredContent"]

    with check("list tools") as this:
        listed = {tool["name"] for tool in await client.tools()}
        expect(listed >= TOOLS, f"missing: {TOOLS - listed}")
        this.said = f"{len(listed)}, with the six of Python"

    with check("start a session"):
        result = await client.call("start_python_session", {"session_id": session})
        expect(result["structuredContent"]["session_id"] == session, result)
        expect(result["structuredContent"]["status"] == "active", result)

    with check("live output as progress") as this:
        seen = []

        async def progress(value: float, total: float | None, message: str | None) -> None:
            seen.append((time.monotonic(), message or ""))

        result = await run(TICKS, progress=progress)
        ended = time.monotonic()
        expect(result["stdout"] == "tick 0\ntick 1\ntick 2\n", result)
        live = [at for at, text in seen if "tick" in text]
        expect(live, f"{len(seen)} notifications, none with the output")
        ahead = ended - live[0]
        expect(ahead > 1.5, f"the first came only {ahead:.1f} s before the result")
        this.said = f"{len(live)} notifications, the first {ahead:.1f} s before the result"

    with check("cancel running code") as this:
        await run("kept = 42")
        await client.cancelled_call("execute_python_code", {"session_id": session, "command": "while True: pass"}, 1)
        since = time.monotonic()
        try:
            result = await run("print(1 + 1)", cancel_seconds)
        except TimeoutError:
            raise AssertionError(f"the session was not free {cancel_seconds} s later") from None
        took = time.monotonic() - since
        expect(result["stdout"] == "2\n", result)
        kept = await run("kept")
        expect(kept["stdout"] == "42\n", f"a variable from before: {kept}")
        this.said = f"the session answers {took:.2f} s later and has its variables"
    # Whatever came of it: the rest needs a free session.
    await client.call("interrupt_python_session", {"session_id": session})

    with check("rich output as an image and as a resource") as this:
        call = client.call("execute_python_code", {"session_id": session, "command": PICTURE})
        result = await asyncio.wait_for(call, 10)
        uri = result["structuredContent"]["outputs"][0]["uri"]
        expect(LINK.fullmatch(uri), f"no link: {uri}")
        images = [block for block in result["content"] if block["type"] == "image"]
        expect(images and images[0]["mimeType"] == "image/png", "no image")
        content = (await client.read(uri))[0]
        expect(content["mimeType"] == "image/png", content)
        expect(base64.b64decode(content["blob"]) == base64.b64decode(PNG), "the resource is not the image")
        this.said = uri

    with check("long output cut, and whole as a resource") as this:
        call = client.call("execute_python_code", {"session_id": session, "command": f"print('x' * {BIG})"})
        result = await asyncio.wait_for(call, 10)
        uri = result["structuredContent"]["outputs"][0]["uri"]
        expect(LINK.fullmatch(uri), f"no link: {uri}")
        shown = len(result["content"][0]["text"])
        expect(shown < BIG, f"{shown} characters shown")
        whole = (await client.read(uri))[0]["text"]
        expect(len(whole) == BIG + 1, f"the resource has {len(whole)} characters")
        this.said = f"{shown} of {BIG} characters shown"

    with check("list resources, and read the first of them") as this:
        resources = await client.resources()
        for resource in resources[:3]:
            expect(resource["uri"] and resource["name"], resource)
            expect(await client.read(resource["uri"]), f"{resource['uri']} has no contents")
        this.said = f"{len(resources)}"

    with check("list resource templates") as this:
        templates = [template["uriTemplate"] for template in await client.templates()]
        expect(any(TEMPLATE.fullmatch(template) for template in templates), f"none for outputs: {templates}")
        this.said = " ".join(templates)

    with check("a resource that is not there is an error") as this:
        try:
            await client.read("runstone://executions/0/outputs/0")
        except Exception as error:  # noqa: BLE001 - its type is another in each version of the client
            code = getattr(error, "error", error).code
        else:
            raise AssertionError("it was read")
        expect(code in (-32002, -32602), f"not an error of that kind: {code}")
        this.said = str(code)

    with check("stop the session"):
        result = await client.call("stop_python_session", {"session_id": session})
        expect(result["structuredContent"]["status"] == "stopped", result)
        left = await client.call("list_python_sessions", {})
        ids = [info["session_id"] for info in left["structuredContent"]["result"]]
        expect(session not in ids, f"still listed: {ids}")
