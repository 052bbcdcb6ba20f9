"""Whether one server keeps many clients, calls and identities apart: spike.py URL [--pid PID] [--mode legacy|auto]

URL is an MCP endpoint with two tools: ``echo(payload)``, which waits 50 ms and answers "echoed:" and the payload, and
``seen_authorization()``, which answers the Authorization header of the request that called it. Runs with the Python SDK
1.x and 2.x, whichever is installed; ``--mode`` is for 2.x. With ``--pid``, the server's open files are counted too.
"""

import argparse
import asyncio
import importlib.metadata
import logging
import os
import sys
import threading
import time
from contextlib import asynccontextmanager

from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

SESSIONS = 20
USERS = 5
CALLS = 4
PAYLOAD = 10_000
DELAY = 0.05
MAX_GROWTH = 30
SETTLE_SECONDS = 15
LIMIT_SECONDS = 60
SDK = importlib.metadata.version("mcp")

logging.getLogger("mcp").setLevel(logging.CRITICAL)  # on a failure 1.x logs a page for every stream it then closes


@asynccontextmanager
async def connection(target: argparse.Namespace, token: str):
    """A client of its own, with its own connections, that sends this bearer token."""
    async with create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as http:
        transport = streamable_http_client(target.url, http_client=http)
        if SDK.startswith("1."):
            from mcp import ClientSession

            async with transport as (read, write, _), ClientSession(read, write) as session:
                await session.initialize()
                yield session
        else:
            from mcp import Client

            async with Client(transport, mode=target.mode) as client:
                yield client


def open_files(pid: int | None) -> int | None:
    return None if pid is None else len(os.listdir(f"/proc/{pid}/fd"))


async def text_of(client, tool: str, arguments: dict) -> str:
    return (await client.call_tool(tool, arguments)).content[0].text


async def many_sessions(target: argparse.Namespace) -> tuple[list[tuple], int | None]:
    """Opens the sessions at once, and counts the server's files while all of them are open."""
    listed = []
    all_listed = asyncio.Event()

    async def one(number: int) -> None:
        async with connection(target, f"session-{number}") as client:
            listed.append(tuple(tool.name for tool in (await client.list_tools()).tools))
            if len(listed) == SESSIONS:
                all_listed.set()
            await all_listed.wait()

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        for number in range(SESSIONS):
            group.create_task(one(number))
        await all_listed.wait()
        peak = open_files(target.pid)
    return listed, peak


async def sessions_scenario(target: argparse.Namespace) -> bool:
    await many_sessions(target)  # pools and classes that come with first use are no leak
    base = await settled(target.pid, None)
    started = time.monotonic()
    listed, peak = await many_sessions(target)
    elapsed = time.monotonic() - started
    same = len(listed) == SESSIONS and len(set(listed)) == 1
    print(f"sessions: {len(listed)} of {SESSIONS} listed {len(listed[0])} tools, the same: {same}, {elapsed:.2f} s")
    if target.pid is None:
        print("sessions: no --pid, the server's open files are not counted")
        return same
    after = await settled(target.pid, base)
    print(f"sessions: server's open files {base} before, {peak} with all open, {after} after; growth {after - base}")
    return same and after - base < MAX_GROWTH


async def settled(pid: int | None, base: int | None) -> int | None:
    """The number of open files when it no longer falls, or is back at the base."""
    if pid is None:
        return None
    count = open_files(pid)
    end = time.monotonic() + SETTLE_SECONDS
    still = 0
    while still < 4 and time.monotonic() < end and (base is None or count > base):
        await asyncio.sleep(0.5)
        last, count = count, open_files(pid)
        still = still + 1 if count >= last else 0
    return count


async def interleaved_scenario(target: argparse.Namespace) -> bool:
    payloads = ["A" * PAYLOAD, "B" * PAYLOAD]
    demux = True
    best = float("inf")
    async with connection(target, "shared") as client:
        await text_of(client, "echo", {"payload": "warm-up"})
        for _ in range(5):  # one after the other they would never take less than both delays
            started = time.monotonic()
            answers = await asyncio.gather(*(text_of(client, "echo", {"payload": payload}) for payload in payloads))
            best = min(best, time.monotonic() - started)
            demux &= answers == ["echoed:" + payload for payload in payloads]
    at_once = best < 2 * DELAY
    print(f"interleaved: each call got its own answer: {demux}; both in {best * 1000:.0f} ms, at once: {at_once}")
    return demux and at_once


async def identities_scenario(target: argparse.Namespace) -> bool:
    async def one(number: int) -> bool:
        token = f"identity-{number}"
        async with connection(target, token) as client:
            seen = await asyncio.gather(*(text_of(client, "seen_authorization", {}) for _ in range(CALLS)))
        return all(text == f"Bearer {token}" for text in seen)

    kept = await asyncio.gather(*(one(number) for number in range(USERS)))
    print(f"identities: {sum(kept)} of {USERS} saw their own Authorization header in each of {CALLS} calls")
    return all(kept)


async def main(target: argparse.Namespace) -> int:
    print(f"spike: Python SDK {SDK}" + ("" if SDK.startswith("1.") else f", {target.mode}"), flush=True)
    failed = []
    for scenario in (sessions_scenario, interleaved_scenario, identities_scenario):
        try:
            passed = await scenario(target)
        except Exception as error:  # noqa: BLE001 - any of them is a failed scenario
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            print(f"{scenario.__name__}: {type(error).__name__}: {error}")
            passed = False
        if not passed:
            failed.append(scenario.__name__.removesuffix("_scenario"))
    print("spike: all passed" if not failed else f"spike: FAILED: {', '.join(failed)}")
    return 1 if failed else 0


def give_up() -> None:
    print(f"spike: FAILED: not done after {LIMIT_SECONDS} s", flush=True)
    os._exit(1)


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("url")
parser.add_argument("--pid", type=int)
parser.add_argument("--mode", choices=["legacy", "auto"], default="auto")
timer = threading.Timer(LIMIT_SECONDS, give_up)
timer.daemon = True
timer.start()
sys.exit(asyncio.run(main(parser.parse_args())))
