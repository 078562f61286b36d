// The extension of GNOME Shell for Dragboard: it does what no program can do on GNOME.
//
// Only the present owners of the bus names of the shelf and of the bridge may call, and the shelf gets signals. A stranger gets
// AccessDenied, and no signal is broadcast, because it would tell every program what the user drags and focuses.
// The object belongs to the name org.gnome.Shell, which no other program can own.
//
// This is the source for GNOME Shell 45 and later. `build` makes the file for 43 and 44, which have no modules.

import Clutter from 'gi://Clutter';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Meta from 'gi://Meta';
import Shell from 'gi://Shell';
import St from 'gi://St';
import * as Main from 'resource:///org/gnome/shell/ui/main.js';
import {Extension} from 'resource:///org/gnome/shell/extensions/extension.js';

const SHELF = 'org.dragboard.Shelf';
const CLIPBOARD = 'org.dragboard.Clipboard1';
const PATH = '/org/dragboard/Shell';
const INTERFACE = 'org.dragboard.Shell1';

// The time between two reads of the pointer during a drag, in milliseconds.
const POLL_INTERVAL = 50;
// The time for which an announced window may take to appear, in milliseconds.
const PLACE_TIMEOUT = 5000;
// The time for which a closed picker may paste, in microseconds.
const PASTE_TIME = 10 * 1000 * 1000;
// The time for which an application can have made a copy after it has lost the focus, in microseconds.
const FOCUS_TIME = 1000 * 1000;
// The time in which the window before the picker must get the focus, and held keys must be released; the time between two checks;
// and the time after which the primary selection gets back its text: in milliseconds.
const FOCUS_TIMEOUT = 1000;
const CHECK_INTERVAL = 10;
const RESTORE_TIME = 5000;
// The time after the end of a drag in which a focused window of the shelf beside the pointer has got the focus by the drop, in
// microseconds.
const DROP_TIME = 500 * 1000;
// The maximum length of a text that the primary selection gets back.
const MAX_TEXT = 1024 * 1024;
// Control, Alt and Super: with one of them, Shift+Insert has another meaning.
const MODIFIERS = (1 << 2) | (1 << 3) | (1 << 6);
const SECRET = /passwordmanagerhint/i;
// The distance between the pointer and the window beside it.
const GAP = 24;

const XML = `<node><interface name="${INTERFACE}">
  <method name="Place"><arg name="title" type="s" direction="in"/></method>
  <method name="FocusedApplication"><arg name="application" type="s" direction="out"/></method>
  <method name="CopyingApplications"><arg name="applications" type="as" direction="out"/></method>
  <method name="Paste"/>
  <property name="Version" type="u" access="read"/>
  <signal name="DragBegan"><arg name="application" type="s"/></signal>
  <signal name="DragEnded"/>
  <signal name="Shortcut"><arg name="name" type="s"/></signal>
</interface></node>`;

export default class DragboardExtension extends Extension {
    enable() {
        this._owners = new Map();
        this._watches = [SHELF, CLIPBOARD].map(name => Gio.bus_watch_name(
            Gio.BusType.SESSION, name, Gio.BusNameWatcherFlags.NONE,
            (connection, _name, owner) => this._setOwner(connection, name, owner),
            () => this._removeOwner(name)));
        this._object = Gio.DBusExportedObject.wrapJSObject(XML, this);
        this._object.export(Gio.DBus.session, PATH);
        this._selection = global.display.get_selection();
        // The number of changes of each selection.
        this._changes = new Map();
        this._changed = this._selection.connect('owner-changed', (_selection, type, source) => {
            this._changes.set(type, this._countChanges(type) + 1);
            if (type === Meta.SelectionType.SELECTION_DND)
                source ? this._begin() : this._end();
            else if (type === Meta.SelectionType.SELECTION_CLIPBOARD)
                this._copying = this._recentApplications();
        });
        this._pasteEnd = this._dragEnd = 0;
        this._former = [];
        this._copying = [];
        this._application = this._focusedApplication();
        this._followPicker();
        this._focus = global.display.connect('notify::focus-window', () => this._didFocus());
        Main.wm.addKeybinding('open-picker', this.getSettings('org.gnome.shell.extensions.dragboard'),
            Meta.KeyBindingFlags.IGNORE_AUTOREPEAT, Shell.ActionMode.NORMAL | Shell.ActionMode.OVERVIEW,
            () => this._emit('Shortcut', new GLib.Variant('(s)', ['open-picker'])));
    }

    disable() {
        this._end();
        this._stopPlacing();
        this._stopPasting?.();
        for (const source of [this._restoring, this._refocusing])
            source && GLib.source_remove(source);
        this._restoring = this._refocusing = 0;
        Main.wm.removeKeybinding('open-picker');
        global.display.disconnect(this._focus);
        this._selection.disconnect(this._changed);
        this._object.unexport();
        this._watches.forEach(watch => Gio.bus_unwatch_name(watch));
        this._owners = this._object = this._selection = this._keyboard = this._former = this._copying = this._window = this._target = this._beside = null;
    }

    // Version 2 has CopyingApplications.
    get Version() {
        return 2;
    }

    // The owners and their processes, of which the windows of the shelf are.

    _setOwner(connection, name, owner) {
        const entry = {owner, process: 0};
        this._owners.set(name, entry);
        connection.call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'GetConnectionUnixProcessID',
            new GLib.Variant('(s)', [owner]), null, Gio.DBusCallFlags.NONE, -1, null, (_connection, result) => {
                try {
                    [entry.process] = connection.call_finish(result).deepUnpack();
                } catch {
                    // The program has left the bus.
                }
            });
    }

    _removeOwner(name) {
        this._owners?.delete(name);
        if (name === SHELF) {
            this._stopPlacing();
            this._pasteEnd = 0;
        }
    }

    _emit(signal, values) {
        const owner = this._owners?.get(SHELF)?.owner;
        if (owner)
            Gio.DBus.session.emit_signal(owner, PATH, INTERFACE, signal, values);
    }

    // Returns whether the caller owns none of these names; the caller then gets an error.
    _refuses(invocation, ...names) {
        const sender = invocation.get_sender();
        if (names.some(name => this._owners.get(name)?.owner === sender))
            return false;
        return this._fail(invocation, 'AccessDenied', `only the owner of ${names.join(' or ')} may call`);
    }

    _fail(invocation, error, words) {
        const domain = error === 'AccessDenied' ? 'org.freedesktop.DBus.Error' : `${INTERFACE}.Error`;
        invocation.return_dbus_error(`${domain}.${error}`, words);
        return true;
    }

    _isOfShelf(window) {
        const process = this._owners.get(SHELF)?.process ?? 0;
        return process !== 0 && window?.get_pid() === process;
    }

    // Drags

    _begin() {
        this._end();
        this._emit('DragBegan', new GLib.Variant('(s)', [this._focusedApplication()]));
        // The programs of XWayland keep the selection. Their drags end when the buttons are released.
        this._polling = GLib.timeout_add(GLib.PRIORITY_DEFAULT, POLL_INTERVAL, () => {
            const [, , state] = global.get_pointer();
            const buttons = Clutter.ModifierType.BUTTON1_MASK | Clutter.ModifierType.BUTTON2_MASK | Clutter.ModifierType.BUTTON3_MASK;
            if (state & buttons)
                return GLib.SOURCE_CONTINUE;
            this._didEnd();
            return GLib.SOURCE_REMOVE;
        });
    }

    _end() {
        if (!this._polling)
            return;
        GLib.source_remove(this._polling);
        this._didEnd();
    }

    _didEnd() {
        this._polling = 0;
        this._dragEnd = GLib.get_monotonic_time();
        this._emit('DragEnded', null);
    }

    // Windows

    // Places the next window of the shelf with this title beside the pointer, above all others and without the focus. The
    // shelf calls this before it shows the window: a window has no position before its first frame, and GNOME gives a new
    // window the focus.
    PlaceAsync([title], invocation) {
        if (this._refuses(invocation, SHELF))
            return;
        this._stopPlacing();
        this._title = title;
        const [x, y] = global.get_pointer();
        const before = global.display.focus_window;
        this._created = global.display.connect('window-created', (_display, window) => {
            const shown = window.connect('shown', () => {
                window.disconnect(shown);
                if (!this._isAnnounced(window))
                    return;
                this._stopPlacing();
                this._place(window, x, y);
                this._beside = {window, before};
                if (before && window.has_focus())
                    before.focus(global.get_current_time());
            });
        });
        this._placing = GLib.timeout_add(GLib.PRIORITY_DEFAULT, PLACE_TIMEOUT, () => {
            this._placing = 0;
            this._stopPlacing();
            return GLib.SOURCE_REMOVE;
        });
        invocation.return_value(null);
    }

    // Whether a window is the announced one, which has not been placed yet.
    _isAnnounced(window) {
        return this._created && window?.get_title() === this._title && this._isOfShelf(window);
    }

    _stopPlacing() {
        if (this._created)
            global.display.disconnect(this._created);
        if (this._placing)
            GLib.source_remove(this._placing);
        this._created = this._placing = 0;
    }

    _place(window, x, y) {
        const {width, height} = window.get_frame_rect();
        const area = Main.layoutManager.getWorkAreaForMonitor(global.display.get_current_monitor());
        const fits = x + GAP + width <= area.x + area.width;
        const clamp = (value, low, high) => Math.max(low, Math.min(value, high));
        window.make_above();
        window.stick();
        window.move_frame(true,
            clamp(fits ? x + GAP : x - GAP - width, area.x, area.x + area.width - width),
            clamp(y - Math.floor(height / 3), area.y, area.y + area.height - height));
    }

    // Since version 51, a drop gives its window the focus. Returns whether the window beside the pointer has got the focus in this way;
    // the window before gets the focus back.
    _returnsFocus() {
        const {window, before} = this._beside ?? {};
        const isDrop = this._polling || GLib.get_monotonic_time() - this._dragEnd < DROP_TIME;
        if (!window || !isDrop || global.display.focus_window !== window)
            return false;
        // The change of the focus has not ended yet.
        this._refocusing ||= GLib.idle_add(GLib.PRIORITY_HIGH, () => {
            this._refocusing = 0;
            if (window.has_focus() && global.get_window_actors().some(actor => actor.meta_window === before))
                before.focus(global.get_current_time());
            return GLib.SOURCE_REMOVE;
        });
        return true;
    }

    // The focused application

    _focusedApplication() {
        const window = global.display.focus_window;
        if (!window)
            return '';
        const application = Shell.WindowTracker.get_default().get_window_app(window);
        const id = application && !application.is_window_backed() ? application.get_id().replace(/\.desktop$/, '') : null;
        return window.get_sandboxed_app_id() || id || window.get_wm_class() || '';
    }

    FocusedApplicationAsync(_arguments, invocation) {
        if (!this._refuses(invocation, SHELF, CLIPBOARD))
            invocation.return_value(new GLib.Variant('(s)', [this._focusedApplication()]));
    }

    // The focused application, and those that had the focus until a short time ago. Each of them can have made a copy.
    _recentApplications() {
        const now = GLib.get_monotonic_time();
        this._former = this._former.filter(({end}) => now - end <= FOCUS_TIME);
        const names = [this._focusedApplication(), this._application, ...this._former.map(({application}) => application)];
        return [...new Set(names)].filter(name => name);
    }

    // Returns the applications that can have made the present content of the clipboard.
    CopyingApplicationsAsync(_arguments, invocation) {
        if (!this._refuses(invocation, CLIPBOARD))
            invocation.return_value(new GLib.Variant('(as)', [this._copying]));
    }

    // Pasting

    _didFocus() {
        if (this._returnsFocus())
            return;
        this._recentApplications();
        this._former.push({application: this._application, end: GLib.get_monotonic_time()});
        this._application = this._focusedApplication();
        this._followPicker();
    }

    // A window of the shelf that gets the focus is an opened picker. It may paste once, into the window that had the focus before,
    // until ten seconds after it has lost the focus.
    _followPicker() {
        const window = global.display.focus_window;
        // The window beside the pointer is no picker, also while GNOME focuses it because it is new.
        if (window && (window === this._beside?.window || this._isAnnounced(window)))
            return;
        const isPicker = this._isOfShelf(window);
        if (isPicker && !this._isPicking) {
            this._target = this._window;
            this._pasteEnd = Infinity;
        } else if (!isPicker && this._isPicking) {
            this._pasteEnd = GLib.get_monotonic_time() + PASTE_TIME;
        }
        this._isPicking = isPicker;
        if (window && !isPicker)
            this._window = window;
    }

    _countChanges(type) {
        return this._changes.get(type) ?? 0;
    }

    // Presses Shift+Insert in the window that had the focus before the picker. Terminals paste the primary selection, so the text
    // of the clipboard becomes that first. No argument selects other keys or another text.
    PasteAsync(_arguments, invocation) {
        if (this._refuses(invocation, CLIPBOARD))
            return;
        if (GLib.get_monotonic_time() > this._pasteEnd)
            return void this._fail(invocation, 'AccessDenied', 'no picker was open within the last ten seconds, or it has pasted');
        this._paste(invocation).catch(error => this._fail(invocation, 'OtherFocus', `the paste failed: ${error.message}`));
    }

    async _paste(invocation) {
        const {SELECTION_CLIPBOARD, SELECTION_PRIMARY} = Meta.SelectionType;
        const changes = this._countChanges(SELECTION_CLIPBOARD);
        // A secret must not be offered again without its mark. A text of an earlier paste is not the user's selection.
        let former = '';
        if (!this._selection.get_mimetypes(SELECTION_PRIMARY).some(type => SECRET.test(type)))
            former = this._restoring ? this._formerText : await this._text(St.ClipboardType.PRIMARY);
        if (former.length > MAX_TEXT)
            former = '';
        const text = await this._text(St.ClipboardType.CLIPBOARD);
        if (!this._owners)
            return void this._fail(invocation, 'OtherFocus', 'the extension was disabled');
        if (text)
            St.Clipboard.get_default().set_text(St.ClipboardType.PRIMARY, text);
        const primary = this._countChanges(SELECTION_PRIMARY);
        this._awaitFocus(error => {
            if (!error && (this._countChanges(SELECTION_CLIPBOARD) !== changes || this._countChanges(SELECTION_PRIMARY) !== primary))
                error = ['SelectionTaken', 'another program has claimed a selection'];
            if (text)
                this._restore(former, primary, error ? 0 : RESTORE_TIME);
            if (error)
                return void this._fail(invocation, ...error);
            this._pasteEnd = 0;
            this._press();
            invocation.return_value(null);
        });
    }

    // Returns the text of a selection; '' if there is none. An empty selection calls back before the call returns, and GNOME Shell
    // 43 crashes if that callback makes a further call. A promise continues later.
    _text(type) {
        return new Promise(resolve => St.Clipboard.get_default().get_text(type, (_clipboard, text) => resolve(text ?? '')));
    }

    // Calls a function when the window before the picker has the focus and no modifier is held, with an error if this takes too long.
    _awaitFocus(then) {
        this._stopPasting?.();
        const end = GLib.get_monotonic_time() + FOCUS_TIMEOUT * 1000;
        let checking = 0;
        const finish = error => {
            this._stopPasting = null;
            if (checking)
                GLib.source_remove(checking);
            checking = 0;
            then(error);
        };
        const check = () => {
            const isFocused = this._target && global.display.focus_window === this._target && !Main.sessionMode.isLocked;
            const [, , state] = global.get_pointer();
            if (isFocused && !(state & MODIFIERS))
                finish(null);
            else if (GLib.get_monotonic_time() > end)
                finish(isFocused ? ['KeysHeld', 'a key is held down'] : ['OtherFocus', 'another window has the focus']);
            else
                return GLib.SOURCE_CONTINUE;
            return GLib.SOURCE_REMOVE;
        };
        this._stopPasting = () => finish(['OtherFocus', 'the paste was cancelled']);
        if (check() === GLib.SOURCE_REMOVE)
            return;
        // A held modifier has no signal, so the state is read repeatedly.
        checking = GLib.timeout_add(GLib.PRIORITY_DEFAULT, CHECK_INTERVAL, check);
    }

    _press() {
        if (!this._keyboard) {
            const backend = global.stage.context?.get_backend?.() ?? Clutter.get_default_backend();
            this._keyboard = backend.get_default_seat().create_virtual_device(Clutter.InputDeviceType.KEYBOARD_DEVICE);
        }
        const keys = [Clutter.KEY_Shift_L, Clutter.KEY_Insert];
        const press = (key, state) => this._keyboard.notify_keyval(GLib.get_monotonic_time(), key, state);
        keys.forEach(key => press(key, Clutter.KeyState.PRESSED));
        keys.reverse().forEach(key => press(key, Clutter.KeyState.RELEASED));
    }

    // Gives the primary selection back its text, unless another program has claimed it since.
    _restore(former, changes, time) {
        if (this._restoring)
            GLib.source_remove(this._restoring);
        this._formerText = former;
        this._restoring = GLib.timeout_add(GLib.PRIORITY_DEFAULT, time, () => {
            this._restoring = 0;
            this._formerText = null;
            if (this._countChanges(Meta.SelectionType.SELECTION_PRIMARY) === changes)
                St.Clipboard.get_default().set_text(St.ClipboardType.PRIMARY, former);
            return GLib.SOURCE_REMOVE;
        });
    }
}
