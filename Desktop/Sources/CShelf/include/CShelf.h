/* The parts of GTK that Swift cannot import: variadic functions, type macros, signals of any
 * signature, derived classes. */
#pragma once
#include <gtk/gtk.h>

/* ---- Signals ---- */

/* Called with a signal's arguments, the sender first. A signal with a return value gets it from
 * `answer`, which is NULL for other signals. */
typedef void (*ShelfSignalHandler)(GValue *answer, guint count, const GValue *arguments,
                                   gpointer data);

/* Calls `handler` at every emission; `destroy` is called with `data` when the sender dies. */
void shelf_connect(gpointer sender, const char *signal, ShelfSignalHandler handler, gpointer data,
                   GClosureNotify destroy);

/* ---- The main queue ---- */

/* An eventfd that is readable while jobs wait in Dispatch's main queue, on which Swift's main actor
 * runs. */
int shelf_main_queue_descriptor(void);
/* Runs the waiting jobs. Must be called on the main thread. */
void shelf_main_queue_run(void);

/* ---- Variadic functions and macros ---- */

/* Sets the name of the widget for screen readers. */
void shelf_set_accessible_label(GtkWidget *widget, const char *label);
/* Names the buttons in a widget that have only an icon: by their tooltip, or `name` without one. */
void shelf_name_icon_buttons(GtkWidget *root, const char *name);
/* Sets the role, the name and the state of each tab of an AdwTabBar, which has none of them in
 * libadwaita 1.2. */
void shelf_describe_tabs(GtkWidget *bar);
/* Scrolls a list view until the item at `position` is visible. */
void shelf_scroll_to(GtkWidget *list, guint position);
/* Sets the text of an entry, a search entry or another editable. */
void shelf_set_text(gpointer editable, const char *text);
/* Returns the text of an entry, a search entry or another editable. */
const char *shelf_text(gpointer editable);
/* Returns a text without differences of case and accents, to be freed. */
char *shelf_fold(const char *text);
/* Returns a picture from bytes, reduced to `extent` if it is larger, and its real size; NULL if the
 * bytes are no picture. May be called on any thread. */
GdkPixbuf *shelf_picture(const guint8 *bytes, gsize count, int extent, int *width, int *height);
/* Returns the name of the application with a desktop file, to be freed; NULL if there is none. */
char *shelf_application_name(const char *desktop_file);
/* Whether a widget takes text from the keyboard, or belongs to a popover. */
gboolean shelf_takes_keys(GtkWidget *widget);

/* ---- A stop of the Tab key ---- */

typedef enum {
  SHELF_STOP_PASS,  /* Move the focus as in any widget. */
  SHELF_STOP_STAY,  /* The focus is where it belongs. */
  SHELF_STOP_LEAVE, /* Move the focus to the next widget. */
} ShelfStopAnswer;

/* Called when Tab is pressed inside of the widget, or reaches it. */
typedef ShelfStopAnswer (*ShelfStopEnter)(gpointer data, gboolean is_inside);

/* A widget around `child` that decides what Tab does: in GTK 4.8 each row of a list is a stop, and a
 * list whose first line cannot have the focus is none. */
GtkWidget *shelf_stop_new(GtkWidget *child, ShelfStopEnter enter, gpointer data);

/* ---- Rows: a list model whose selection another object stores ---- */

typedef struct {
  guint (*count)(gpointer data);
  gboolean (*is_selected)(gpointer data, guint position);
  /* Selects the positions in `selected`, of those in `mask`; other positions are unchanged. */
  void (*select)(gpointer data, GtkBitset *selected, GtkBitset *mask);
} ShelfRowsSource;

/* A GListModel and GtkSelectionModel that calls `source`. Its items are empty: a row is identified
 * by its position. */
GtkSelectionModel *shelf_rows_new(const ShelfRowsSource *source, gpointer data);

/* ---- Drops under X11 ----
 *
 * GTK requests the bytes of a drop without the time of the drop, which the XDND specification
 * requires, and from another window than the drop's. Qt identifies the drop by one of the two, and
 * refuses; GTK then waits forever. */

/* The time of the present drop; 0 if it is not from another application under X11. Must be called
 * during the emission of the signal "drop". */
guint32 shelf_x_drop_time(GdkDrop *drop);
/* Requests the bytes of `type`, a MIME type or another X11 target, from the other application. A
 * window can have one request at a time. */
void shelf_x_drop_read_async(GdkDrop *drop, const char *type, guint32 time,
                             GAsyncReadyCallback done, gpointer data);
/* Returns the bytes with a reference for the caller; NULL and an error if the request failed. */
GBytes *shelf_x_drop_read_finish(GAsyncResult *result, GError **error);

/* Makes Escape cancel the shelf's own drags under X11: GTK redirects the key to the root window,
 * where it does not listen. */
void shelf_x_cancel_by_escape(GdkDrag *drag);

/* ---- Content created on request ---- */

/* Writes the content of `type` to `stream`; must end with shelf_content_written(). */
typedef void (*ShelfContentWriter)(const char *type, GOutputStream *stream, GTask *task,
                                   gpointer data);

/* A provider of `types`, NULL-terminated, in this order. */
GdkContentProvider *shelf_content_new(const char *const *types, ShelfContentWriter write,
                                      gpointer data, GDestroyNotify destroy);
/* Ends the work of a ShelfContentWriter: NULL means success, otherwise an error message. */
void shelf_content_written(GTask *task, const char *error);

/* ---- A window at the screen's edge, which GTK does not support ---- */

/* Whether the display is an X11 display, which the functions below require. */
gboolean shelf_x11_is_display(GdkDisplay *display);
/* Marks a window, realized and not yet shown, as a utility window that is in no window list. */
void shelf_x11_make_utility(GtkWidget *window);
/* Keeps a visible window above the others, and on every workspace. */
void shelf_x11_keep_above(GtkWidget *window);
/* Moves and resizes a window, in the coordinates of monitors. */
void shelf_x11_place(GtkWidget *window, int x, int y, int width, int height);
/* Returns the part of a monitor without panels. */
void shelf_x11_get_workarea(GdkMonitor *monitor, GdkRectangle *area);
/* Reports the shape of a resized window to other programs. A GTK drag source remembers the
 * rectangle of the window from when the drag entered it, until a shape is reported. */
void shelf_x11_report_shape(GtkWidget *window);

/* Whether gtk4-layer-shell is loaded, and the compositor supports layers. */
gboolean shelf_layer_is_supported(void);
/* Turns a window that is not yet realized into a layer at the left or the right edge of the screen.
 */
void shelf_layer_attach(GtkWidget *window, gboolean to_left);

/* ---- Files for applications in a sandbox ---- */

/* The types of files in org.freedesktop.portal.FileTransfer; none if no service on the bus
 * implements it, or if the toolkit does not know yet: it looks at the first call. */
char **shelf_portal_types(void);
/* Passes files, by their addresses, to the portal, and writes the key with which the other
 * application requests them; ends with shelf_content_written(). */
void shelf_write_to_portal(GOutputStream *stream, const char *type, const char *const *addresses,
                           GTask *task);
