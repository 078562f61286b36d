#!/usr/bin/env python3
"""Carries clients to a bus from wherever it runs, as Flatpak's xdg-dbus-proxy does: for the bus, it is the process that connects.

relay.py SOCKET BUS [orphan|heir|hung]: listens at SOCKET, and connects to BUS, a path, for each client. With
"orphan" the process that has connected is gone by the time that the client says anything, and a child of
it carries on, for that one client. With "heir" a child carries for the one client from the start. When
the process that has connected is killed, the child starts another process with the same number, and
prints "inherited". With "hung" its /.flatpak-info is on a FUSE file system that never answers. The latter
two take root.
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


def start_of(process):
    """The clock tick in which a process started."""
    with open(f"/proc/{process}/stat", "rb") as stat:
        return int(stat.read().rpartition(b")")[2].split()[19])


def now():
    """The time, in the same unit."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def inherit(number):
    """Starts a process with that number, later than now; it lives as long as this one."""
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
    """Mounts a FUSE file system at a file; nobody answers it, and it goes with this process."""
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
            # The end of the pipe tells the child; it comes with the end of this process.
            os._exit(0)
        os.close(writer)
        os.read(reader, 1)
        # Nobody is there to end it, should no client come.
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
