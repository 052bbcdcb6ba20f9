#!/usr/bin/env python3
"""What many clients at once, rejected ones and vanishing ones do to a server.

    load.py BASE_URL --pid PID [--streams N] [--vanish N]

BASE_URL is that of serve-fixture.sh, without /mcp, started with runstone.mcp.idle-timeout=PT20S; PID is what it says. Needs
the JDK's jcmd and jmap. Prints figures and one line a check; exits with 1 if one failed.
"""

import argparse
import asyncio
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time

failures = []


def check(what, good, figures=""):
    print(f"{'ok  ' if good else 'FAIL'} {what}{': ' + figures if figures else ''}", flush=True)
    if not good:
        failures.append(what)


class Server:
    def __init__(self, base, pid):
        self.host, self.port = re.fullmatch(r"http://([^:/]+):(\d+)/?", base).groups()
        self.pid = pid

    async def connect(self):
        return await asyncio.open_connection(self.host, int(self.port))

    def head(self, method, path, body, headers):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(body)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body

    async def send(self, method, path, body=b"", **headers):
        """Sends a request on a connection of its own; returns status, session id and the streams."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        reader, writer = await self.connect()
        writer.write(self.head(method, path, body, {"Accept": "application/json, text/event-stream", **named}))
        await writer.drain()
        status = int((await reader.readline()).split()[1])
        session = ""
        while (line := await reader.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode().partition(":")
            if name.lower() == "mcp-session-id":
                session = value.strip()
        return status, session, reader, writer

    async def whole(self, method, path, body=b"", **headers):
        """Sends a request and reads its answer to the end."""
        status, session, reader, writer = await self.send(method, path, body, Connection="close", **headers)
        text = await reader.read()
        writer.close()
        return status, session, text

    # What the JVM and the system say of the server.

    async def heap_megabytes(self):
        """After what Payara keeps of closed connections is gone: 30 seconds, and a while for its timer."""
        await asyncio.sleep(45)
        return self.used_megabytes()

    def used_megabytes(self):
        """What is reachable: the last line of a histogram, which every JDK writes alike and for which it collects first."""
        histogram = subprocess.run(["jmap", "-histo:live", str(self.pid)], capture_output=True, text=True, check=True).stdout
        return int(re.search(r"^Total\s+\d+\s+(\d+)", histogram, re.M)[1]) / 1024 / 1024

    def mcp_sessions(self):
        histogram = subprocess.run(["jmap", "-histo:live", str(self.pid)], capture_output=True, text=True, check=True).stdout
        found = re.search(r"\s(\d+)\s+\d+\s+io\.runstone\.mcp\.legacy\.BoundSession\b", histogram)
        return int(found[1]) if found else 0

    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def cell_threads(self):
        """Those of sessions and kernels; others, such as the JDK's for processes, come and go."""
        names = []
        for task in os.listdir(f"/proc/{self.pid}/task"):
            try:
                with open(f"/proc/{self.pid}/task/{task}/comm", encoding="ascii") as file:
                    names.append(file.read())
            except OSError:
                pass
        return sum(name.startswith(("runstone-kernel", "runstone-sessio")) for name in names)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def sleepers(self):
        """Workers that are in the sleep of a cell whose client has vanished: those that run a cell."""
        busy = 0
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    with open(f"/proc/{entry}/environ", "rb") as file:
                        busy += b"RUNSTONE_LOAD_MARK" in file.read()
                except OSError:
                    pass
        return busy


def message(method, params, number=1):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


JSON = {"Content_Type": "application/json"}
INITIALIZE = message(
    "initialize",
    {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "load", "version": "1"}},
)
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "load", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
MODERN = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call"}


async def gather(count, limit, work):
    gate = asyncio.Semaphore(limit)

    async def one(number):
        async with gate:
            return await asyncio.wait_for(work(number), 60)

    return await asyncio.gather(*(one(number) for number in range(count)), return_exceptions=True)


async def open_session(server):
    status, session, _ = await server.whole("POST", "/mcp", INITIALIZE, **JSON)
    assert status == 200, status
    return session


async def sessions_come_and_go(server):
    async def come_and_go(_):
        session = await open_session(server)
        status, _, _ = await server.whole("DELETE", "/mcp", Mcp_Session_Id=session)
        assert status == 200, status

    async def rejected(number):
        kind = number % 4
        if kind == 0:
            answer = await server.whole("POST", "/mcp", message("ping", {}), Mcp_Session_Id="unknown", **JSON)
        elif kind == 1:
            answer = await server.whole("POST", "/mcp", b'{"jsonrpc":', **JSON)
        elif kind == 2:
            answer = await server.whole("POST", "/mcp", message("ping", {}), **JSON)
        else:
            answer = await server.whole("POST", "/mcp", message("ping", {}), MCP_Protocol_Version="1999-01-01", **JSON)
        assert answer[0] in (400, 404), answer[0]

    await gather(300, 20, come_and_go)
    await gather(300, 20, rejected)
    before = await server.heap_megabytes()
    wrong = [answer for answer in await gather(1000, 20, come_and_go) if answer]
    wrong += [answer for answer in await gather(1000, 20, rejected) if answer]
    after = await server.heap_megabytes()
    left = server.mcp_sessions()
    check("1,000 sessions opened and ended, 1,000 requests rejected", not wrong, str(wrong[:3]) if wrong else "")
    check("no MCP session is left", left == 0, str(left))
    check("the heap grows by less than 5 MB", after - before < 5, f"{before:.1f} -> {after:.1f} MB")


async def many_at_once(server, count):
    sessions = [await open_session(server) for _ in range(count)]
    listeners = []
    for session in sessions:
        _, _, reader, writer = await server.send("GET", "/mcp", Mcp_Session_Id=session)
        listeners.append(writer)
    health = []
    over = asyncio.Event()

    async def probe():
        while not over.is_set():
            start = time.monotonic()
            await server.whole("GET", "/health")
            health.append(time.monotonic() - start)
            await asyncio.sleep(0.1)

    async def call(number):
        body = message("tools/call", {"name": "sleep", "arguments": {"seconds": 5}}, number + 1)
        status, _, text = await server.whole("POST", "/mcp", body, Mcp_Session_Id=sessions[number], **JSON)
        assert status == 200 and b'"result"' in text, (status, text[:200])

    probing = asyncio.create_task(probe())
    start = time.monotonic()
    answers = await gather(count, count, call)
    took = time.monotonic() - start
    threads = server.threads()
    over.set()
    await probing
    wrong = [answer for answer in answers if answer]
    check(f"{count} open streams and {count} calls of 5 s are answered within 10 s", not wrong and took < 10,
          f"{took:.1f} s, {threads} threads {wrong[:2]}")
    check("health answers within 500 ms meanwhile", max(health) < 0.5,
          f"median {sorted(health)[len(health) // 2] * 1000:.0f}, most {max(health) * 1000:.0f} ms of {len(health)}")
    for writer in listeners:
        writer.close()
    await gather(count, 50, lambda number: server.whole("DELETE", "/mcp", Mcp_Session_Id=sessions[number]))


async def vanishing(server, count):
    mark = "import os, subprocess; subprocess.run(['sleep', '300'], env={**os.environ, 'RUNSTONE_LOAD_MARK': '1'})"
    await asyncio.sleep(1)
    server.mcp_sessions()  # collects garbage
    before = (server.cell_threads(), server.descriptors())

    async def vanish(number):
        params = {"name": "execute_python_code", "arguments": {"command": mark}}
        if number % 2:
            session = await open_session(server)
            _, _, reader, writer = await server.send(
                "POST", "/mcp", message("tools/call", params), Mcp_Session_Id=session, **JSON)
        else:
            body = message("tools/call", {**params, "_meta": META})
            _, _, reader, writer = await server.send(
                "POST", "/mcp", body, Mcp_Name="execute_python_code", **MODERN, **JSON)
        await asyncio.sleep(0.3)  # by then many are running, some are waiting for their kernel, some are refused
        if number % 4 < 2:
            linger = struct.pack("ii", 1, 0)  # a reset instead of an end
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort() if number % 4 < 2 else writer.close()

    wrong = [answer for answer in await gather(count, 40, vanish) if answer]
    most = server.sleepers()
    start = time.monotonic()
    while time.monotonic() - start < 60:
        await asyncio.sleep(2)
        left = (server.sleepers(), server.mcp_sessions(), server.cell_threads() - before[0],
                server.descriptors() - before[1])
        if left[0] == 0 and left[1] == 0 and left[2] < 5 and left[3] < 30:
            break
    check(f"{count} clients vanish in the middle of a call", not wrong, f"{most} cells ran when the last did {wrong[:2]}")
    check("within a minute no cell, MCP session, thread or descriptor of theirs is left",
          left[0] == 0 and left[1] == 0 and left[2] < 5 and left[3] < 30,
          f"cells {left[0]}, sessions {left[1]}, threads {left[2]:+}, descriptors {left[3]:+} after {time.monotonic() - start:.0f} s")


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("--pid", type=int, required=True)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--vanish", type=int, default=1000)
    arguments = parser.parse_args()
    server = Server(arguments.base, arguments.pid)
    await sessions_come_and_go(server)
    await many_at_once(server, arguments.streams)
    await vanishing(server, arguments.vanish)
    print("load: " + ("FAILED" if failures else "all passed"))


asyncio.run(asyncio.wait_for(main(), 600))
sys.exit(1 if failures else 0)
