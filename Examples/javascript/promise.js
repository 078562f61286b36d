#!/usr/bin/env -S gjs -m
// Drags a file whose bytes are read on request.
//
//   promise.js FILE TYPE        promise.js holiday.jpg image/jpeg
//
// Reports the outcome and exits when the drag has ended: with 0 if the file has arrived, otherwise
// with 1.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import System from 'system';

// Since GLib 2.80 the Unix functions are in a separate library.
const UnixOutputStream = await import('gi://GioUnix').then(
    library => library.default.OutputStream, () => Gio.UnixOutputStream);

const NAME = 'org.dragboard.Dragboard1';
const ROOT = '/org/dragboard/Dragboard1';
const LOADER = `
<node><interface name="org.dragboard.Dragboard1.RepresentationLoader"><method name="Load">
  <arg name="session" type="o" direction="in"/> <arg name="item" type="u" direction="in"/>
  <arg name="type" type="s" direction="in"/> <arg name="fd" type="h" direction="in"/>
</method></interface></node>`;

function fail(problem) {
    printerr(`promise.js: ${problem}`);
    System.exit(1);
}

function call(path, object, method, signature, ...values) {
    return bus.call_sync(NAME, path, `${NAME}.${object}`, method, new GLib.Variant(signature, values),
        null, Gio.DBusCallFlags.NONE, -1, null).deepUnpack();
}

// A real program would render, pack or fetch the data here. Closing the pipe ends it, even after an
// error.
function make(pipe, done) {
    const out = new UnixOutputStream({fd: pipe, close_fd: true});
    try {
        const source = Gio.File.new_for_path(file).read(null);
        // Writing waits for the reader. The main loop must not wait, so write asynchronously.
        out.splice_async(source, Gio.OutputStreamSpliceFlags.CLOSE_SOURCE | Gio.OutputStreamSpliceFlags.CLOSE_TARGET,
            GLib.PRIORITY_DEFAULT, null, (stream, result) => {
                try {
                    stream.splice_finish(result);
                    done(null);
                } catch (error) {
                    done(error);
                }
            });
    } catch (error) {
        out.close(null);
        done(error);
    }
}

const loader = {
    // GJS passes the method's arguments, the call, and its file descriptors.
    LoadAsync([session, item, type, handle], invocation, descriptors) {
        isMaking = true;
        print(`making ${file}`);
        // get(handle) would duplicate the descriptor. The pipe would then not end before the original
        // is closed, too.
        make(descriptors.steal_fds()[handle], error => {
            answer(invocation, error);
            isMaking = false;
            leave();
        });
    },
};

function answer(invocation, error) {
    if (!error) {
        print('given');
        invocation.return_value(null);
        return;
    }
    const words = reason(error);
    const isUnwanted = error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.BROKEN_PIPE);
    print(isUnwanted ? 'broken off: nobody wants it any more' : `failed: ${words}`);
    invocation.return_dbus_error('org.example.Error.Failed', words);
}

function reason(error) {
    if (error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.NOT_FOUND)) return 'No such file or directory';
    return error.message;
}

let isMaking = false, hasArrived = false, hasEnded = false;

// A cancelled load is reported after the end of the drag.
function leave() {
    if (hasEnded && !isMaking) loop.quit();
}

function note(connection, sender, path, object, signal, values) {
    if (signal === 'DidTransferItems') {
        const [loaded, failed] = values.deepUnpack();  // The indexes of items; this drag has one item.
        hasArrived = loaded.length > 0;
        print(hasArrived ? 'it arrived' : failed.length > 0 ? 'it did not arrive' : 'it was not asked for');
    } else if (signal === 'DidEnd') {
        print(`the drag has ended: ${values.deepUnpack()[0]}`);
        hasEnded = true;
        leave();
    }
}

if (ARGV.length !== 2) fail('usage: promise.js FILE TYPE');
const [file, contentType] = ARGV;
const loop = new GLib.MainLoop(null, false);
let bus;
try {
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, null);
    Gio.DBusExportedObject.wrapJSObject(LOADER, loader).export(bus, '/promise');
    // "" means this connection. The drag ends with the program.
    const [session] = call(ROOT, 'Manager', 'BeginDrag', '(s)', '');
    bus.signal_subscribe(NAME, `${NAME}.DragSession`, null, session, null, Gio.DBusSignalFlags.NONE, note);
    const [item] = call(session, 'DragSession', 'AddItem', '(s)', GLib.path_get_basename(file));
    call(session, 'DragSession', 'RegisterPromise', '(usso)', item, contentType, 'all', '/promise');
    print(`dragging ${file} as ${session}`);
} catch (error) {
    fail(error.message);
}
loop.run();
System.exit(hasArrived ? 0 : 1);
