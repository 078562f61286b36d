#!/usr/bin/env python3
"""Connects clients to a bus, as Flatpak's xdg-dbus-proxy does: for the bus, this process is the client.

relay.py SOCKET BUS [orphan|heir|hung]: listens at SOCKET, and connects to BUS, a path, for each client.
"orphan": the process that has connected exits before the only client sends a message, and its child
continues to relay. "heir": a child relays for the only client from the start. When the process that has
connected is killed, the child starts another process with the same process id, and prints "inherited".
"hung": the /.flatpak-info of this process is on a FUSE file system that never answers. "heir" and "hung"
need root.
"""
import array
import ctypes
import os
import signal
import socket
import sys
import threading
import time


def pump(source, target):
    """Relays the bytes and descriptors that have arrived; returns false at the end of the connection."""
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
    """Relays one direction until its end. Each direction has a thread, so a client that does not read delays no other client."""
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
    """Accepts the next client; returns the threads that relay for it."""
    client, bus = listener.accept()[0], connect()
    ways = [threading.Thread(target=carry, args=sides, daemon=True) for sides in ((client, bus), (bus, client))]
    for way in ways:
        way.start()
    return ways


def start_of(process):
    """Returns the clock tick at which a process started."""
    with open(f"/proc/{process}/stat", "rb") as stat:
        return int(stat.read().rpartition(b")")[2].split()[19])


def now():
    """Returns the present time in clock ticks."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def inherit(number):
    """Starts a process with this process id and a later start time; it exits when this process exits."""
    alive = os.pipe()
    begin = now()
    while True:
        with open("/proc/sys/kernel/ns_last_pid", "w") as last:
            last.write(str(number - 1))
        child = os.fork()
        if child == 0:
            os.close(alive[1])
            os.read(alive[0], 1)
            os._exit(0)
        if child == number and start_of(child) > begin:
            return
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def hang(path):
    """Mounts a FUSE file system at a file. Its requests are never answered. It ends with this process."""
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=100644,user_id=0,group_id=0".encode()
    if ctypes.CDLL(None, use_errno=True).mount(b"hung", path.encode(), b"fuse.hung", 0, options) != 0:
        raise OSError(ctypes.get_errno(), "mount")


def main(path, bus, mode=None):
    def connect():
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(bus)
        return connection

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    if mode == "heir":
        connection, parent = connect(), os.getpid()
        reader, writer = os.pipe()
        if os.fork():
            os.close(reader)
            listener.close()
            connection.close()
            print("ready", flush=True)
            signal.pause()
        os.close(writer)
        signal.alarm(300)
        ways = accept(listener, lambda: connection)
        # The end of the pipe means that the parent has ended.
        os.read(reader, 1)
        inherit(parent)
        print("inherited", flush=True)
        for way in ways:
            way.join()
    elif mode == "orphan":
        connection = connect()
        reader, writer = os.pipe()
        if os.fork():
            os.close(reader)
            print("ready", flush=True)
            # The pipe ends when this process exits, which the child notices.
            os._exit(0)
        os.close(writer)
        os.read(reader, 1)
        # If no client connects, no other process ends this child.
        signal.alarm(300)
        for way in accept(listener, lambda: connection):
            way.join()
    else:
        if mode == "hung":
            hang("/.flatpak-info")
        print("ready", flush=True)
        while True:
            accept(listener, connect)


main(*sys.argv[1:])
