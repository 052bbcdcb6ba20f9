#!/usr/bin/env python3
"""Looks for what an undeployment leaves behind: deploys, uses and undeploys Runstone again and again on Payara Server,
then an empty WAR as often on a fresh server, and compares threads, file descriptors, classes and processes.

Usage: redeploy.py [--rounds 20] [--warm-up 5] [--port 8222] [--ear F] [--dump F.hprof]
Exit status 1 when Runstone leaves something behind.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# What may not be more by one for each round. An absolute "classes must be 0" does not hold on JDK 17: the last
# record whose equals() was linked stays in the JDK's ObjectMethods.OBJECT_EQ.asTypeCache, and so does its deployment,
# until the next one takes its place (JDK-8078641).
GROWTH = ("threads", "files", "loaders", "classes", "processes")


def jcmd(pid, *command):
    java = os.environ.get("JAVA_HOME")
    tool = os.path.join(java, "bin", "jcmd") if java else "jcmd"
    return subprocess.run([tool, pid, *command], capture_output=True, text=True, check=True).stdout


def kernels(pid):
    """Processes that the server started, of any depth."""
    children = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            children.setdefault(stat.read_text().rpartition(")")[2].split()[1], []).append(stat.parent.name)
        except OSError:
            pass
    found, todo = set(), [pid]
    while todo:
        for child in children.get(todo.pop(), ()):
            found.add(child)
            todo.append(child)
    return found


def collect(pid):
    """Forces collections until the number of application class loaders no longer falls."""
    last = None
    for _ in range(6):
        jcmd(pid, "GC.run")
        time.sleep(0.5)
        now = loaders(pid)
        if now == last:
            break
        last = now


def loaders(pid):
    return len(re.findall(r"WebappClassLoader|EarClassLoader", jcmd(pid, "VM.classloaders")))


def measure(pid):
    collect(pid)
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    histogram = jcmd(pid, "GC.class_histogram")
    return {
        "own threads": len(re.findall(r'^"runstone-', jcmd(pid, "Thread.print"), re.M)),
        "threads": int(re.search(r"Threads:\s+(\d+)", status)[1]),
        "files": len(os.listdir(f"/proc/{pid}/fd")),
        "loaders": loaders(pid),
        "classes": len(re.findall(r"\sio\.runstone\.", histogram)),
        "processes": len(kernels(pid)),
        "heap": sum(int(n) for n in re.findall(r"^ *\d+: +\d+ +(\d+)", histogram, re.M)) // 1024,
        "metaspace": int(re.search(r"Metaspace +used (\d+)K", jcmd(pid, "GC.heap_info"))[1]),
        "rss": int(re.search(r"VmRSS:\s+(\d+)", status)[1]),
    }


def request(url, payload=None, **headers):
    headers = {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
    data = None if payload is None else json.dumps(payload).encode()
    return urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=60)


def use(url):
    """One execution that ends; then an open event stream and a session that is busy when the server lets go."""
    rpc = {"Accept": "application/json, text/event-stream"}
    with request(url + "/execute", {"code": "print(6 * 7)"}) as answer:
        assert json.load(answer)["stdout"].strip() == "42"
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "redeploy", "version": "1"}}
    with request(url + "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}, **rpc) as answer:
        rpc["Mcp-Session-Id"] = answer.headers["Mcp-Session-Id"]
        answer.read()
    request(url + "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, **rpc).close()
    streams = [request(url + "/mcp", **rpc)]
    call = {"name": "start_python_session", "arguments": {"session_id": "busy"}}
    request(url + "/mcp", {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}, **rpc).read()
    call = {"name": "execute_python_code", "_meta": {"progressToken": "p"},
            "arguments": {"session_id": "busy", "command": "import time\nprint('busy', flush=True)\ntime.sleep(600)"}}
    busy = request(url + "/mcp", {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call}, **rpc)
    while b"busy" not in busy.readline():
        pass
    return [*streams, busy]


def asadmin(*command):
    done = subprocess.run([*os.environ["SERVER_ADMIN"].split(), *command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"asadmin {' '.join(command)}: {done.stdout}{done.stderr}")


def rounds(args):
    """Runs in the environment of run-on.sh."""
    pid, url, real = os.environ["SERVER_PID"], os.environ["RUNSTONE_URL"], args.app.name.startswith("runstone")
    measured = {}
    for number in range(1, args.warm_up + args.rounds + 1):
        asadmin("deploy", "--name", "app", str(args.app))
        if real:
            left = use(url)
        else:
            left = [urllib.request.urlopen(url + "/index.txt")]
        asadmin("undeploy", "app")
        for answer in left:
            answer.close()
        if number in (args.warm_up, args.warm_up + args.rounds):
            # What was undeployed last from "/" stays in memory whatever it was: Payara then starts its default web
            # module, whose background thread inherits the loader.
            asadmin("deploy", "--name", "app", str(args.empty))
            asadmin("undeploy", "app")
            time.sleep(6)  # the JDK's idle keep-alive connections end by themselves after some seconds
            measured[number] = measure(pid)
        print(f"{args.app.name}: round {number}", file=sys.stderr)
    if args.dump and real:
        args.dump.unlink(missing_ok=True)
        jcmd(pid, "GC.heap_dump", "-all=false", str(args.dump))
    args.report.write_text(json.dumps([measured[args.warm_up], measured[args.warm_up + args.rounds]]))


def on_server(args, app, empty, report):
    command = [str(HERE / "run-on.sh"), "payara-server", "--port", str(args.port), "--no-deploy", "--",
               sys.executable, __file__, "--rounds", str(args.rounds), "--warm-up", str(args.warm_up),
               "--app", str(app), "--empty", str(empty), "--report", str(report)]
    subprocess.run(command + (["--dump", str(args.dump)] if args.dump else []), check=True)
    return json.loads(report.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--warm-up", type=int, default=5)
    parser.add_argument("--port", type=int, default=8222)
    parser.add_argument("--ear", type=pathlib.Path, default=ROOT / "target" / "runstone.ear")
    parser.add_argument("--dump", type=pathlib.Path, help="heap dump after the last round of Runstone")
    parser.add_argument("--app", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--empty", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--report", type=pathlib.Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.app:
        rounds(args)
        return
    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder, "empty.war")
        with zipfile.ZipFile(empty, "w") as war:
            war.writestr("index.txt", "empty")
            war.writestr("WEB-INF/glassfish-web.xml",
                         "<glassfish-web-app><context-root>/</context-root></glassfish-web-app>")
        report = pathlib.Path(folder, "report.json")
        ours = on_server(args, args.ear.resolve(), empty, report)
        base = on_server(args, empty, empty, report)
    print(f"after {args.warm_up} and {args.rounds} more rounds, heap, metaspace and rss in KiB")
    print(f"{'':12}{'Runstone':>26}{'empty WAR':>26}{'more':>10}")
    leaks = []
    for name in ours[0]:
        grown = [after[name] - before[name] for before, after in (ours, base)]
        cells = [f"{before[name]} -> {after[name]} ({after[name] - before[name]:+})" for before, after in (ours, base)]
        print(f"{name:12}{cells[0]:>26}{cells[1]:>26}{grown[0] - grown[1]:>+10}")
        if name in GROWTH and grown[0] - grown[1] >= args.rounds:
            leaks.append(name)
    leaks += [f"{name} at the end" for name in ("own threads", "processes") if ours[1][name] > base[1][name]]
    print("LEAK: " + ", ".join(leaks) if leaks else "no deployment leaves anything behind")
    sys.exit(1 if leaks else 0)


if __name__ == "__main__":
    main()
