#!/usr/bin/env -S gjs -m
// Prints what Dragboard tells everybody, a line for each signal, until it is interrupted.
//
//   watch.js

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import System from 'system';

const NAME = 'org.dragboard.Dragboard1';

function show(connection, sender, path, object, signal, values) {
    // Not the changes of properties, which are org.freedesktop.DBus.Properties'.
    if (object.startsWith(NAME)) print(path, signal, ...values.recursiveUnpack().map(value => JSON.stringify(value)));
}

try {
    const bus = Gio.bus_get_sync(Gio.BusType.SESSION, null);
    bus.signal_subscribe(NAME, null, null, null, null, Gio.DBusSignalFlags.NONE, show);
    // Starts the daemon where none runs. When the answer is there, the bus knows of the subscription.
    bus.call_sync(NAME, '/', 'org.freedesktop.DBus.Peer', 'Ping', null, null, Gio.DBusCallFlags.NONE, -1, null);
    print('watching');
    new GLib.MainLoop(null, false).run();
} catch (error) {
    printerr(`watch.js: ${error.message}`);
    System.exit(1);
}
