/* What GTK has that Swift cannot import: variadic functions, type macros, signals of any signature, classes derived from
 * its own. */
#pragma once
#include <gtk/gtk.h>

/* ---- Signals ---- */

/* Called with a signal's arguments, the sender being the first; a signal that wants an answer gets it in `answer`, which
 * is NULL for the others. */
typedef void (*ShelfSignalHandler)(GValue *answer, guint count, const GValue *arguments,
                                   gpointer data);

/* Has `handler` called at every emission; `destroy` is called with `data` when the sender is gone. */
void shelf_connect(gpointer sender, const char *signal, ShelfSignalHandler handler, gpointer data,
                   GClosureNotify destroy);

/* ---- The main queue ---- */

/* An eventfd that is readable when jobs of Dispatch's main queue, which Swift's main actor runs on, wait. */
int shelf_main_queue_descriptor(void);
/* Runs the jobs that wait. Called on the main thread. */
void shelf_main_queue_run(void);

/* ---- Variadic functions and macros ---- */

/* The name by which a screen reader calls the widget. */
void shelf_set_accessible_label(GtkWidget *widget, const char *label);
/* Scrolls a list view so that the item at `position` can be seen. */
void shelf_scroll_to(GtkWidget *list, guint position);
/* Sets the one text to be shown by an entry, a search entry or another editable. */
void shelf_set_text(gpointer editable, const char *text);
/* The text of an entry, a search entry or another editable. */
const char *shelf_text(gpointer editable);
/* The name of the theme that is shown, to be freed. */
char *shelf_theme_name(GtkSettings *settings);

/* ---- Rows: a list model with a selection that somebody else keeps ---- */

typedef struct {
  guint (*count)(gpointer data);
  gboolean (*is_selected)(gpointer data, guint position);
  /* Selects what is in `selected`, of the positions in `mask`; the others stay as they are. */
  void (*select)(gpointer data, GtkBitset *selected, GtkBitset *mask);
} ShelfRowsSource;

/* A GListModel and GtkSelectionModel that asks `source`; its items are empty: a row is known by its position. */
GtkSelectionModel *shelf_rows_new(const ShelfRowsSource *source, gpointer data);

/* ---- Drops under X11 ----
 *
 * GTK asks for the bytes of a drop without the time of the drop, which the specification of XDND wants, and from a window
 * that the drop was not made on. Qt knows the drop by one or the other, and refuses; GTK then waits for ever. */

/* The time of the drop that is being made; 0 where it is none of another application under X11. To be asked while the
 * signal "drop" is emitted. */
guint32 shelf_x_drop_time(GdkDrop *drop);
/* Asks the other application for the bytes of `type`, a MIME type or another X11 target. One at a time for a window. */
void shelf_x_drop_read_async(GdkDrop *drop, const char *type, guint32 time,
                             GAsyncReadyCallback done, gpointer data);
/* The bytes, whose reference is handed over; NULL and an error where they were refused, or did not come. */
GBytes *shelf_x_drop_read_finish(GAsyncResult *result, GError **error);

/* Lets Escape cancel a drag of our own under X11: GTK has the key sent to the root window, where it does not listen. */
void shelf_x_cancel_by_escape(GdkDrag *drag);

/* ---- Content that is made when somebody asks for it ---- */

/* Has to write what `type` stands for to `stream`, and to end with shelf_content_written(). */
typedef void (*ShelfContentWriter)(const char *type, GOutputStream *stream, GTask *task,
                                   gpointer data);

/* A provider of `types`, NULL-terminated, in that order. */
GdkContentProvider *shelf_content_new(const char *const *types, ShelfContentWriter write,
                                      gpointer data, GDestroyNotify destroy);
/* Ends what a ShelfContentWriter began: NULL for success, or what went wrong. */
void shelf_content_written(GTask *task, const char *error);

/* ---- A window at the screen's edge, for which GTK has nothing ---- */

/* Whether windows are X11's; the functions below want that. */
gboolean shelf_x11_is_display(GdkDisplay *display);
/* Says that a window, realized and not yet shown, is a small tool that is in no list of windows. */
void shelf_x11_make_utility(GtkWidget *window);
/* Keeps a window that is shown above the others, and on every workspace. */
void shelf_x11_keep_above(GtkWidget *window);
/* Puts a window where it is to stand, in the coordinates of monitors. */
void shelf_x11_place(GtkWidget *window, int x, int y, int width, int height);
/* Tells other programs the shape of a window that has another size: GTK, where it is the source of a drag, remembers the
 * rectangle that the window was when the drag came to it, until somebody tells of a shape. */
void shelf_x11_tell_shape(GtkWidget *window);

/* Whether gtk4-layer-shell is loaded, and the compositor knows layers. */
gboolean shelf_layer_is_supported(void);
/* Makes a window that is not yet realized a layer at the left or the right edge of the screen. */
void shelf_layer_attach(GtkWidget *window, gboolean to_left);

/* ---- Files for applications in a sandbox ---- */

/* The types by which files are handed over through org.freedesktop.portal.FileTransfer; none where nobody on the bus
 * serves it, or the toolkit does not know yet: it looks at the first call. */
char **shelf_portal_types(void);
/* Hands files, by their addresses, to the portal, and writes the key by which the other application asks for them; ends with
 * shelf_content_written(). */
void shelf_write_to_portal(GOutputStream *stream, const char *type, const char *const *addresses,
                           GTask *task);
