#!/usr/bin/env python3
"""Connects clients to a bus until a signal ends the connections: frontdoor.py SOCKET BUS.

SIGUSR1 closes all connections; new clients can connect. SIGUSR2 closes all connections; new clients get no answer.
"""
import os
import select
import signal
import socket
import sys


def main(path, bus):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    others = {}
    is_deaf = False
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, lambda *_: None)
    print("ready", flush=True)

    def close(side):
        for each in (side, others.pop(side)):
            others.pop(each, None)
            each.close()

    while True:
        for side in select.select([reader, *others] + ([] if is_deaf else [listener]), [], [])[0]:
            if side is listener:
                client, server = listener.accept()[0], socket.socket(socket.AF_UNIX)
                server.connect(bus)
                others.update({client: server, server: client})
            elif side is reader:
                is_deaf = os.read(reader, 1)[0] == signal.SIGUSR2
                for each in list(others):
                    if each in others:
                        close(each)
            elif side in others:
                try:
                    data, rights, _, _ = side.recvmsg(1 << 16, socket.CMSG_SPACE(64 * 4))
                    if data:
                        others[side].sendmsg([data], rights)
                    else:
                        close(side)
                except OSError:
                    close(side)


main(*sys.argv[1:])
