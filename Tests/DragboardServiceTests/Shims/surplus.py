#!/usr/bin/env python3
"""Sends calls with more file descriptors than their arguments name, which no D-Bus library does.

surplus.py BUS COUNT KIND: sends COUNT calls with 16 descriptors each to the daemon on the bus at the
path BUS. KIND is "none" for calls of a method that takes no descriptor, "one" for a method that takes
one, "unknown" for a method that does not exist. Prints "sent" when the bus has passed on all calls,
and then the name of the error that each call gets, or "reply".
"""
import array
import os
import socket
import struct
import sys

DESCRIPTORS = 16
NAME = "org.dragboard.Dragboard1"


def padded(data, alignment):
    return data + bytes(-len(data) % alignment)


def text(value):
    return struct.pack("<I", len(value)) + value.encode() + b"\0"


def field(code, kind, value):
    data = bytes([code, 1]) + kind.encode() + b"\0"
    if kind == "g":
        return data + bytes([len(value)]) + value.encode() + b"\0"
    return data + (struct.pack("<I", value) if kind == "u" else text(value))


def call(serial, path, interface, member, destination, signature="", body=b"", descriptors=0):
    fields = [field(1, "o", path), field(2, "s", interface), field(3, "s", member), field(6, "s", destination)]
    if signature:
        fields.append(field(8, "g", signature))
    if descriptors:
        fields.append(field(9, "u", descriptors))
    array_bytes = b""
    for each in fields:
        array_bytes = padded(array_bytes, 8) + each
    start = struct.pack("<cBBBIII", b"l", 1, 0, 1, len(body), serial, len(array_bytes))
    return padded(start + array_bytes, 8) + body


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.data = b""
        uid = str(os.getuid()).encode().hex().encode()
        self.socket.sendall(b"\0AUTH EXTERNAL " + uid + b"\r\nNEGOTIATE_UNIX_FD\r\n")
        while self.data.count(b"\r\n") < 2:
            self.data += self.socket.recv(4096)
        self.data = b""
        self.socket.sendall(b"BEGIN\r\n")
        self.ask(1, "Hello")

    def ask(self, serial, member):
        """Calls a method of the bus; returns the messages that arrive before its answer."""
        self.socket.sendall(call(serial, "/org/freedesktop/DBus", "org.freedesktop.DBus", member, "org.freedesktop.DBus"))
        earlier = []
        while True:
            message = self.receive()
            if message[0] == serial:
                return earlier
            earlier.append(message)

    def receive(self):
        """Returns the serial of the call that the next message answers, and the name of its error."""
        while len(self.data) < 16 or len(self.data) < self.length():
            data = self.socket.recv(1 << 16)
            if not data:
                sys.exit("the bus has closed the connection")
            self.data += data
        length = self.length()
        message, self.data = self.data[:length], self.data[length:]
        end, place, serial, error = 16 + struct.unpack_from("<I", message, 12)[0], 16, 0, "reply"
        while place < end:
            place += -place % 8
            code, kind = message[place], chr(message[place + 2])
            place += 4
            size = message[place] + 2 if kind == "g" else 4
            if kind in "so":
                size = 5 + struct.unpack_from("<I", message, place)[0]
            if code == 5:
                serial = struct.unpack_from("<I", message, place)[0]
            if code == 4:
                error = message[place + 4:place + size - 1].decode().split(".")[-1]
            place += size
        return serial, error

    def length(self):
        body, fields = struct.unpack_from("<I", self.data, 4)[0], struct.unpack_from("<I", self.data, 12)[0]
        return 16 + fields + -fields % 8 + body

    def send(self, message, files):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
        sent = self.socket.sendmsg([message], rights)
        self.socket.sendall(message[sent:])


def attack(serial, kind):
    if kind == "one":
        body = padded(struct.pack("<Ii", 0, -1) + text("a/b"), 4) + struct.pack("<I", 0)
        return call(serial, "/org/dragboard/Dragboard1/board/default", NAME + ".Board", "InsertFile", NAME,
                    "uish", body, DESCRIPTORS)
    member = "Ping" if kind == "none" else "NoSuchMethod"
    return call(serial, "/org/dragboard/Dragboard1", "org.freedesktop.DBus.Peer", member, NAME, descriptors=DESCRIPTORS)


def main(path, count, kind):
    connection = Connection(path)
    file = os.memfd_create("surplus")
    for serial in range(2, int(count) + 2):
        connection.send(attack(serial, kind), [file] * DESCRIPTORS)
    # Two calls take two iterations of the bus's loop. Afterwards the bus has forwarded all messages.
    answers = connection.ask(1 << 20, "GetId") + connection.ask(1 << 21, "GetId")
    print("sent", flush=True)
    errors = [error for serial, error in answers if serial]
    while len(errors) < int(count):
        serial, error = connection.receive()
        if serial:
            errors.append(error)
    print("\n".join(errors), flush=True)


main(*sys.argv[1:])
