#!/usr/bin/python3
"""Drops the latest drag on the board "default" and prints the ids of the rows, with dbus-fast."""

import asyncio
import sys

from dbus_fast import DBusError
from dbus_fast.aio import MessageBus

NAME, ROOT = "org.dragboard.Dragboard1", "/org/dragboard/Dragboard1"
END = (0, -1)  # of the first section


async def main():
    bus = await MessageBus().connect()

    async def proxy(path, interface):
        proxy = bus.get_proxy_object(NAME, path, await bus.introspect(NAME, path))
        return proxy.get_interface(f"{NAME}.{interface}")

    sessions = await (await proxy(ROOT, "Manager")).get_sessions()
    if not sessions:
        sys.exit("drop: nothing is being dragged")
    board = await proxy(f"{ROOT}/board/default", "DropTarget")
    operation, rows = await board.call_perform_drop(sessions[-1], "", *END)
    if not rows:
        sys.exit(f"drop: {operation}")
    print("\n".join(rows))


try:
    asyncio.run(main())
except (DBusError, OSError) as error:
    sys.exit(f"drop: {error}")
