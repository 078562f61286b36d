#!/usr/bin/env -S gjs -m
// Prints the signals of Dragboard, one per line, until it is interrupted.
//
//   watch.js

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import System from 'system';

const NAME = 'org.dragboard.Dragboard1';

function show(connection, sender, path, object, signal, values) {
    // Property changes are excluded: they are signals of org.freedesktop.DBus.Properties.
    if (object.startsWith(NAME)) print(path, signal, ...values.recursiveUnpack().map(value => JSON.stringify(value)));
}

try {
    const bus = Gio.bus_get_sync(Gio.BusType.SESSION, null);
    bus.signal_subscribe(NAME, null, null, null, null, Gio.DBusSignalFlags.NONE, show);
    // Starts the daemon if it is not running. After the answer, the subscription is active.
    bus.call_sync(NAME, '/', 'org.freedesktop.DBus.Peer', 'Ping', null, null, Gio.DBusCallFlags.NONE, -1, null);
    print('watching');
    new GLib.MainLoop(null, false).run();
} catch (error) {
    printerr(`watch.js: ${error.message}`);
    System.exit(1);
}
