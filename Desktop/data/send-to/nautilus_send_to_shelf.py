"""'Send to Shelf' in the context menu of files, in Nautilus with python3-nautilus."""

from gi.repository import Gio, GObject, Nautilus

COMMAND = "/usr/bin/dragboard"


class SendToShelf(GObject.GObject, Nautilus.MenuProvider):
    """Puts the selected files on the shelf, a row each."""

    def get_file_items(self, *arguments):
        # Nautilus before version 43 passes its window first.
        paths = [file.get_location().get_path() for file in arguments[-1]]
        # A file on a server has no path.
        if not paths or None in paths:
            return []
        item = Nautilus.MenuItem(name="SendToShelf::files", label="Send to Shelf", icon="org.dragboard.Shelf")
        item.connect("activate", lambda item: self.send(paths))
        return [item]

    @staticmethod
    def send(paths):
        options = [word for path in paths for word in ("--file", path)]
        Gio.Subprocess.new([COMMAND, "add", "--link", *options], Gio.SubprocessFlags.STDOUT_SILENCE)
