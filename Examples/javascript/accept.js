#!/usr/bin/env -S gjs -m
// Accepts the latest drag and writes its data to standard output.
//
//   accept.js TYPE              accept.js 'image/*' > picture
//
// TYPE is a type or a pattern. Writes the first matching representation of each item, which is the
// best one.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import System from 'system';

// Since GLib 2.80 the Unix functions are in a separate library.
const {InputStream, OutputStream} = await import('gi://GioUnix').then(
    library => library.default, () => ({InputStream: Gio.UnixInputStream, OutputStream: Gio.UnixOutputStream}));

const NAME = 'org.dragboard.Dragboard1';
const ROOT = '/org/dragboard/Dragboard1';
const FOREVER = GLib.MAXINT32;  // A promise may take longer than the default (-1), 25 s.

function fail(problem) {
    printerr(`accept.js: ${problem}`);
    System.exit(1);
}

// Returns the only value of the reply; for a file the descriptor, which the caller must close.
function call(path, object, method, signature = '()', ...values) {
    const [reply, descriptors] = bus.call_with_unix_fd_list_sync(NAME, path, object, method,
        new GLib.Variant(signature, values), null, Gio.DBusCallFlags.NONE, FOREVER, null, null);
    const [value] = reply.recursiveUnpack();
    return descriptors?.get_length() > 0 ? descriptors.steal_fds()[value] : value;
}

const get = (path, object, name) =>
    call(path, 'org.freedesktop.DBus.Properties', 'Get', '(ss)', `${NAME}.${object}`, name);

const onSession = (method, signature, ...values) =>
    call(session, `${NAME}.DragSession`, method, signature, ...values);

// Returns whether the item exists.
function take(item) {
    for (const type of onSession('GetTypes', '(u)', item)) printerr(`item ${item}: ${type}`);
    try {
        const source = new InputStream({fd: onSession('LoadFile', '(us)', item, wanted), close_fd: true});
        new OutputStream({fd: 1, close_fd: false}).splice(source, Gio.OutputStreamSpliceFlags.CLOSE_SOURCE, null);
        return true;
    } catch (error) {
        printerr(`item ${item}: ${error.message}`);
        return false;
    }
}

if (ARGV.length !== 1) fail('usage: accept.js TYPE');
const [wanted] = ARGV;
let bus, session, taken;
try {
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, null);
    session = get(ROOT, 'Manager', 'Sessions').pop();
    if (!session) fail('nothing is being dragged');
    if (!onSession('CanLoad', '(s)', wanted)) fail('no dragged item has that type');
    // This is the drop: afterwards no other client can accept the drag. "" means this connection.
    if (onSession('Accept', '(ss)', '', 'copy') === 'forbidden') fail('the drag is for another application');
    taken = Array.from({length: get(session, 'DragSession', 'ItemCount')}, (_, item) => take(item));
    // Ends the drag as a copy. A program that exits without this call cancels the drag.
    if (taken.includes(true)) onSession('Finish');
} catch (error) {
    fail(error.message);
}
System.exit(taken.includes(false) ? 1 : 0);
