#!/usr/bin/env python3
"""Carries clients to a bus from wherever it runs, as Flatpak's xdg-dbus-proxy does: for the bus, it is the process that connects.

relay.py SOCKET BUS [orphan]: listens at SOCKET, and connects to BUS, a path, for each client. With "orphan" the process that has connected
is gone by the time that the client says anything, and a child of it carries on, for that one client.
"""
import array
import os
import signal
import socket
import sys
import threading


def pump(source, target):
    """Carries what has come, descriptors included; false at the end."""
    data, ancillary, _, _ = source.recvmsg(1 << 16, socket.CMSG_SPACE(64 * 4))
    descriptors = array.array("i")
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(content)
    if data:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors)] if descriptors else []
        sent = target.sendmsg([data], rights)
        target.sendall(data[sent:])
    for descriptor in descriptors:
        os.close(descriptor)
    return bool(data)


def carry(source, target):
    """Carries one way to the end. A client that reads nothing holds up nobody but itself."""
    try:
        while pump(source, target):
            pass
    except OSError:
        pass
    for side in (source, target):
        try:
            side.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def accept(listener, connect):
    """Takes the next client; gives the threads that carry for it."""
    client, bus = listener.accept()[0], connect()
    ways = [threading.Thread(target=carry, args=sides, daemon=True) for sides in ((client, bus), (bus, client))]
    for way in ways:
        way.start()
    return ways


def main(path, bus, orphan=False):
    def connect():
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(bus)
        return connection

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    if orphan:
        connection = connect()
        reader, writer = os.pipe()
        if os.fork():
            os.close(reader)
            print("ready", flush=True)
            # The end of the pipe tells the child; it comes with the end of this process.
            os._exit(0)
        os.close(writer)
        os.read(reader, 1)
        # Nobody is there to end it, should no client come.
        signal.alarm(300)
        for way in accept(listener, lambda: connection):
            way.join()
    else:
        print("ready", flush=True)
        while True:
            accept(listener, connect)


main(*sys.argv[1:])
