/* The parts of GTK that Swift cannot import: variadic functions, type macros, signals of any
 * signature, derived classes. */
#pragma once
#include <gtk/gtk.h>

/* ---- Signals ---- */

/* Called with a signal's arguments, the sender first. The handler stores the return value of the
 * signal in `answer`, which is NULL for a signal without a return value. */
typedef void (*ShelfSignalHandler)(GValue *answer, guint count, const GValue *arguments,
                                   gpointer data);

/* Calls `handler` at every emission. `destroy` is called with `data` when the sender is destroyed. */
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
/* Sets the names of the icon buttons in a widget: the tooltip, or `name` for a button without a tooltip. */
void shelf_name_icon_buttons(GtkWidget *root, const char *name);
/* Sets the role, the name and the state of each tab of an AdwTabBar, because libadwaita 1.2 sets none
 * of them. */
void shelf_describe_tabs(GtkWidget *bar);
/* Returns the child of the tab at a position in an AdwTabBar; NULL if no tab is there. */
GtkWidget *shelf_tab_child(GtkWidget *bar, double x, double y);
/* Scrolls a list view until the item at `position` is visible. */
void shelf_scroll_to(GtkWidget *list, guint position);
/* Sets the text of an entry, a search entry or another editable. */
void shelf_set_text(gpointer editable, const char *text);
/* Returns the text of an entry, a search entry or another editable. */
const char *shelf_text(gpointer editable);
/* Sets the text that an empty search field shows. */
void shelf_set_placeholder(GtkWidget *entry, const char *text);
/* Returns a valid text with case and accents removed. The caller frees it. May be called on any thread. */
char *shelf_fold(const char *text);
/* Returns a stream that writes to a file and closes it. */
GOutputStream *shelf_output_stream(int file);
/* Returns the name of the application with this desktop file; NULL if it is not installed. The caller
 * frees it. */
char *shelf_application_name(const char *desktop_file);
/* Replaces the drop target with which each window of GTK refuses drops outside of other targets. If
 * a window is hidden after a drop, GTK 4.8 does not report to this target that the drop has left it,
 * and the target reports errors during the next drag. */
void shelf_forget_drop(GtkWidget *window);
/* Returns whether the user can type into a widget, or whether it belongs to a popover. */
gboolean shelf_takes_keys(GtkWidget *widget);

/* ---- Announcements ---- */

/* Returns an empty label whose text screen readers treat as an alert. */
GtkWidget *shelf_message_new(void);
/* Makes screen readers speak a text. Has no effect before GTK 4.14; there, the text of an alert is the
 * only means. */
void shelf_announce(GtkWidget *widget, const char *text);

/* Returns whether shelf_announce() has an effect. */
gboolean shelf_can_announce(void);

/* ---- Previews ---- */

/* Runs the process that reads a preview: a picture or the first page of a PDF document from standard input,
 * or the facts of the file at `path` and its picture, its first page or the beginning of its text. Writes
 * the answer to standard output. The picture is scaled to `extent`; 0
 * requests none. Limits the memory and the time of the calling process, so call it first in a new
 * process. Returns the exit status. */
int shelf_read_preview(int extent, const char *path);

/* ---- A stop of the Tab key ---- */

typedef enum {
  SHELF_STOP_PASS,  /* Move the focus as usual. */
  SHELF_STOP_STAY,  /* Do not move the focus. */
  SHELF_STOP_LEAVE, /* Move the focus to the next widget. */
} ShelfStopAnswer;

/* Called when Tab is pressed inside of the widget, or reaches it. */
typedef ShelfStopAnswer (*ShelfStopEnter)(gpointer data, gboolean is_inside);

/* A widget around `child` that determines the effect of Tab. In GTK 4.8, Tab stops at each row of a
 * list, and does not stop at a list whose first line cannot have the focus. */
GtkWidget *shelf_stop_new(GtkWidget *child, ShelfStopEnter enter, gpointer data);

/* ---- Rows: a list model whose selection another object stores ---- */

typedef struct {
  guint (*count)(gpointer data);
  gboolean (*is_selected)(gpointer data, guint position);
  /* Selects the positions in `mask` that are in `selected`, deselects the other positions in `mask`,
   * and does not change positions outside of `mask`. */
  void (*select)(gpointer data, GtkBitset *selected, GtkBitset *mask);
} ShelfRowsSource;

/* A GListModel and GtkSelectionModel that calls `source`. Its items have no content, because the
 * position identifies a row. */
GtkSelectionModel *shelf_rows_new(const ShelfRowsSource *source, gpointer data);

/* ---- Drops under X11 ----
 *
 * The XDND specification requires that the request for the bytes has the time of the drop. GTK
 * requests them without this time, and from a different window. Qt identifies the drop by
 * the time or the window, so it refuses the request, and GTK waits forever. */

/* Returns the time of the current drop; 0 if it is not from another application under X11. Must be
 * called during the emission of the signal "drop". */
guint32 shelf_x_drop_time(GdkDrop *drop);
/* Requests the bytes of `type`, a MIME type or another X11 target, from the other application. A
 * window can have one request at a time. */
void shelf_x_drop_read_async(GdkDrop *drop, const char *type, guint32 time,
                             GAsyncReadyCallback done, gpointer data);
/* Returns the bytes with a reference for the caller; NULL and an error if the request failed. */
GBytes *shelf_x_drop_read_finish(GAsyncResult *result, GError **error);

/* Ignores the actions that another application sets after its drop under X11, for its next drag. */
void shelf_x_ignore_late_actions(GdkDisplay *display);

/* Makes Escape cancel the shelf's own drags under X11. GTK redirects the key to the root window, but
 * does not listen for keys there. */
void shelf_x_cancel_by_escape(GdkDrag *drag);

typedef struct _ShelfSaveRequest ShelfSaveRequest;
/* Called if the other application asks the shelf to write a file with this address. Must end with
 * shelf_save_answer(). */
typedef void (*ShelfSave)(const char *address, ShelfSaveRequest *request, gpointer data);
void shelf_save_answer(ShelfSaveRequest *request, gboolean is_saved);

/* Watches the events of the shelf's drags under X11; must be called before the first drag. */
void shelf_x_drag_watch(GdkDisplay *display);
/* Prepares a drag of the shelf under X11 in its signal "drag-begin". While no modifier key is held, the
 * other application can only copy. It can ask the shelf to write a file with this name; NULL if it
 * cannot. */
void shelf_x_drag_begin(GdkDrag *drag, const char *file_name, ShelfSave save, gpointer data);
/* Returns whether the other application has reported that the drop has failed. */
gboolean shelf_x_drag_was_refused(GdkDrag *drag);

/* ---- Content created on request ---- */

/* Writes the content of `type` to `stream`; must end with shelf_content_written(). */
typedef void (*ShelfContentWriter)(const char *type, GOutputStream *stream, GTask *task,
                                   gpointer data);

/* Returns a provider of `types`, a NULL-terminated array, in this order. */
GdkContentProvider *shelf_content_new(const char *const *types, ShelfContentWriter write,
                                      gpointer data, GDestroyNotify destroy);
/* Ends the work of a ShelfContentWriter. `error` is an error message; NULL means success. */
void shelf_content_written(GTask *task, const char *error);

/* ---- A window at the screen's edge, which GTK does not support ---- */

/* Returns whether the display is an X11 display, which the functions below require. */
gboolean shelf_x11_is_display(GdkDisplay *display);
/* Marks a window, which must be realized but not shown yet, as a utility window that is in no window
 * list. */
void shelf_x11_make_utility(GtkWidget *window);
/* Keeps a visible window above all other windows, on every workspace. */
void shelf_x11_keep_above(GtkWidget *window);
/* Moves and resizes a window, in the coordinates of monitors, and corrects its frame if a window manager
 * applies another one. */
void shelf_x11_place(GtkWidget *window, int x, int y, int width, int height);
/* Returns the area of a monitor that panels do not cover. */
void shelf_x11_get_workarea(GdkMonitor *monitor, GdkRectangle *area);
/* Returns the position of the pointer on the display, in GTK's units. */
void shelf_x11_get_pointer(GdkDisplay *display, int *x, int *y);
/* Reports the shape of a resized window to other programs. A GTK drag source uses the
 * rectangle that the window had when the drag entered it, until a shape is reported. */
void shelf_x11_report_shape(GtkWidget *window);

/* Returns whether gtk4-layer-shell is loaded and the compositor supports layers. */
gboolean shelf_layer_is_supported(void);
/* Turns a window that is not yet realized into a layer at the left or the right edge of the screen. If
 * `is_topmost`, the layer is above full-screen windows and panels. */
void shelf_layer_attach(GtkWidget *window, gboolean to_left, gboolean is_topmost);
/* Returns whether the compositor gives a layer the keyboard as soon as the layer can take it, as KWin
 * does; others wait for a click. */
gboolean shelf_layer_gets_keyboard_at_once(GdkDisplay *display);
/* Sets whether a layer can have the keyboard focus. */
void shelf_layer_take_keyboard(GtkWidget *window, gboolean takes);

/* ---- Files for applications in a sandbox ---- */

/* Returns the types under which a drag offers files through org.freedesktop.portal.FileTransfer. The array is empty if no service
 * on the bus implements the portal. It is also empty at first, because the toolkit starts to search
 * for the portal at the first call. */
char **shelf_portal_types(void);
/* Returns an empty a{sv}, with a floating reference. */
GVariant *shelf_no_options(void);
/* Passes the addresses of files to the portal, and writes the key with which the other application
 * requests the files. Ends with shelf_content_written(). */
void shelf_write_to_portal(GOutputStream *stream, const char *type, const char *const *addresses,
                           GTask *task);
