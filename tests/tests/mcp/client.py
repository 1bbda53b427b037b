"""An agent that uses its terminals through the official Python SDK. It runs as the program of a session, and writes what it
gets as JSON lines to the file that it is told; the test reads them and plays the person."""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

RUNNER, NOTES = sys.argv[1], sys.argv[2]


def note(step, value):
    with open(NOTES, "a") as notes:
        notes.write(json.dumps({"step": step, "value": value}) + "\n")


async def work(session):
    async def call(tool, **arguments):
        # The SDK checks what comes back against the schema that the server gave for it.
        result = await session.call_tool(tool, arguments)
        texts = [part.text for part in result.content]
        return {"error": bool(result.is_error), "text": "\n".join(texts), "data": result.structured_content}

    listed = await session.list_tools()
    note("tools", [tool.name for tool in listed.tools])
    opened = await call("terminal_open", title="server", command="echo booting; read line; echo got $line; exec sh")
    note("open", opened)
    terminal = opened["data"]["id"]
    note("there", await call("terminal_wait_for", id=terminal, needle="boot(ing)"))
    await call("terminal_send", id=terminal, text="tea", enter=True)
    note("found", await call("terminal_wait_for", id=terminal, needle="got tea"))
    note("read", await call("terminal_read", id=terminal))
    note("timeout", await call("terminal_wait_for", id=terminal, needle="never", timeout_ms=200))
    note("literal", await call("terminal_wait_for", id=terminal, needle="a(", timeout_ms=100))
    # A program that wants cursor keys of its own, and one that does not: both print what they get.
    for kind, mode in (("application", "\\033[?1h"), ("normal", "\\033[?1l")):
        script = f"printf '{mode}ready\\n'; stty raw -echo; head -c 3 | od -An -c; stty sane; exec sleep 1000"
        keyed = (await call("terminal_open", title=kind, command=script))["data"]["id"]
        await call("terminal_wait_for", id=keyed, needle="ready", timeout_ms=60000)
        await call("terminal_send", id=keyed, text="", keys=["Up"])
        note(kind, await call("terminal_wait_for", id=keyed, needle="033 +[O\\[] +A", timeout_ms=60000))
        await call("terminal_close", id=keyed)
    note("skipped", await call("terminal_wait_for", id=terminal, needle="a person", timeout_ms=600000))
    await call("terminal_send", id=terminal, text="exit 3", enter=True)
    note("exited", await call("terminal_wait_for", id=terminal, needle="never", timeout_ms=60000))
    note("last", await call("terminal_read", id=terminal))
    note("foreign", await call("terminal_read", id=os.environ["AGENT_BOARD_SESSION"]))
    note("close", await call("terminal_close", id=terminal))
    note("list", await call("terminal_list"))


async def main():
    # The SDK hands a server a few variables only, unless it is given others.
    server = StdioServerParameters(command=RUNNER, args=["mcp"], env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        await work(session)
    note("end", None)


asyncio.run(main())
