#include "CShelf.h"
#include <dlfcn.h>
#include <gdk/gdk.h>
#ifdef GDK_WINDOWING_WAYLAND
#include <gdk/wayland/gdkwayland.h>
#endif
#ifdef GDK_WINDOWING_X11
#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <X11/extensions/shape.h>
#include <gdk/x11/gdkx.h>
#endif

/* ---- X11 ---- */

#ifdef GDK_WINDOWING_X11

static Atom atom(GdkDisplay *display, const char *name) {
  return gdk_x11_get_xatom_by_name_for_display(display, name);
}

gboolean shelf_x11_is_display(GdkDisplay *display) { return GDK_IS_X11_DISPLAY(display); }

void shelf_x11_make_utility(GtkWidget *window) {
  GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
  GdkDisplay *display = gdk_surface_get_display(surface);
  Atom type = atom(display, "_NET_WM_WINDOW_TYPE_UTILITY");
  XChangeProperty(gdk_x11_display_get_xdisplay(display), gdk_x11_surface_get_xid(surface),
                  atom(display, "_NET_WM_WINDOW_TYPE"), XA_ATOM, 32, PropModeReplace,
                  (guchar *)&type, 1);
  gdk_x11_surface_set_skip_taskbar_hint(surface, TRUE);
  gdk_x11_surface_set_skip_pager_hint(surface, TRUE);
  /* The window must not take the keyboard when it appears. */
  gdk_x11_surface_set_user_time(surface, 0);
}

/* Source: Extended Window Manager Hints, _NET_WM_STATE. */
static void add_states(GdkSurface *surface, const char *first, const char *second) {
  GdkDisplay *display = gdk_surface_get_display(surface);
  Display *connection = gdk_x11_display_get_xdisplay(display);
  XClientMessageEvent message = {
    .type = ClientMessage,
    .window = gdk_x11_surface_get_xid(surface),
    .message_type = atom(display, "_NET_WM_STATE"),
    .format = 32,
    .data.l = {1, (long)atom(display, first), (long)atom(display, second), 1},
  };
  XSendEvent(connection, DefaultRootWindow(connection), False,
             SubstructureRedirectMask | SubstructureNotifyMask, (XEvent *)&message);
}

void shelf_x11_keep_above(GtkWidget *window) {
  GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
  add_states(surface, "_NET_WM_STATE_ABOVE", "_NET_WM_STATE_STICKY");
}

/* The frame that a window should have, in pixels. */
typedef struct {
  int x, y, width, height;
  /* The number of further corrections, so that the shelf never disputes with a window manager that
   * gives windows other frames. */
  int corrections;
  guint timeout;
} Frame;

static const char frame_key[] = "shelf-frame";
static const int max_corrections = 10;
/* A correction must wait until the window manager knows the sizes that GTK now requires. */
static const guint correction_delay_in_milliseconds = 30;

static void frame_free(gpointer data) {
  Frame *frame = data;
  if (frame->timeout) g_source_remove(frame->timeout);
  g_free(frame);
}

static void apply(GdkSurface *surface, const Frame *frame) {
  XMoveResizeWindow(gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface)),
                    gdk_x11_surface_get_xid(surface), frame->x, frame->y, (unsigned)frame->width,
                    (unsigned)frame->height);
}

static Frame current_frame(GdkSurface *surface) {
  Display *connection = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
  Window window = gdk_x11_surface_get_xid(surface), other;
  Frame frame = {0};
  int x, y;
  unsigned width = 0, height = 0, border, depth;
  XTranslateCoordinates(connection, window, DefaultRootWindow(connection), 0, 0, &frame.x,
                        &frame.y, &other);
  XGetGeometry(connection, window, &other, &x, &y, &width, &height, &border, &depth);
  frame.width = (int)width;
  frame.height = (int)height;
  return frame;
}

static gboolean correct(gpointer surface) {
  Frame *frame = g_object_get_data(surface, frame_key), now = current_frame(surface);
  frame->timeout = 0;
  if (now.x == frame->x && now.y == frame->y && now.width == frame->width &&
      now.height == frame->height)
    return G_SOURCE_REMOVE;
  if (--frame->corrections == max_corrections / 2 && now.x < frame->x) {
    /* Xfwm keeps a minimum width of each window on the screen, so the strip must be wider. */
    frame->width += frame->x - now.x;
    frame->x = now.x;
  }
  apply(surface, frame);
  return G_SOURCE_REMOVE;
}

/* Corrects the frame after a window manager has applied a size that GTK required before, and has moved
 * the window so that all of it was on the screen. */
static gboolean did_configure(GdkDisplay *display, const XEvent *event, gpointer surface) {
  Frame *frame = g_object_get_data(surface, frame_key);
  if (event->type == ConfigureNotify &&
      event->xconfigure.window == gdk_x11_surface_get_xid(surface) && frame->corrections > 0 &&
      !frame->timeout)
    frame->timeout = g_timeout_add(correction_delay_in_milliseconds, correct, surface);
  return FALSE;
}

void shelf_x11_place(GtkWidget *window, int x, int y, int width, int height) {
  GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
  int scale = gdk_surface_get_scale_factor(surface);
  Frame *frame = g_object_get_data(G_OBJECT(surface), frame_key);
  if (!frame) {
    frame = g_new0(Frame, 1);
    g_object_set_data_full(G_OBJECT(surface), frame_key, frame, frame_free);
    g_signal_connect_object(gdk_surface_get_display(surface), "xevent", G_CALLBACK(did_configure),
                            surface, 0);
  }
  frame->x = x * scale;
  frame->y = y * scale;
  frame->width = width * scale;
  frame->height = height * scale;
  frame->corrections = max_corrections;
  apply(surface, frame);
}

void shelf_x11_get_workarea(GdkMonitor *monitor, GdkRectangle *area) {
  gdk_x11_monitor_get_workarea(monitor, area);
}

void shelf_x11_get_pointer(GdkDisplay *display, int *x, int *y) {
  Display *connection = gdk_x11_display_get_xdisplay(display);
  Window root, child;
  int x_in_window, y_in_window;
  unsigned buttons;
  XQueryPointer(connection, DefaultRootWindow(connection), &root, &child, x, y, &x_in_window,
                &y_in_window, &buttons);
  int scale = 1;
  GListModel *monitors = gdk_display_get_monitors(display);
  GdkMonitor *monitor = g_list_model_get_item(monitors, 0);
  if (monitor) {
    scale = gdk_monitor_get_scale_factor(monitor);
    g_object_unref(monitor);
  }
  *x /= scale;
  *y /= scale;
}

void shelf_x11_report_shape(GtkWidget *window) {
  GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
  Display *connection = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
  Window xid = gdk_x11_surface_get_xid(surface);
  /* Removing a shape reports a change only if the window has a shape. So first set a shape, which is
   * larger than any window. */
  XRectangle all = {0, 0, G_MAXINT16, G_MAXINT16};
  XShapeCombineRectangles(connection, xid, ShapeBounding, 0, 0, &all, 1, ShapeSet, Unsorted);
  XShapeCombineMask(connection, xid, ShapeBounding, 0, 0, None, ShapeSet);
}

#else

gboolean shelf_x11_is_display(GdkDisplay *display) { return FALSE; }
void shelf_x11_make_utility(GtkWidget *window) {}
void shelf_x11_keep_above(GtkWidget *window) {}
void shelf_x11_place(GtkWidget *window, int x, int y, int width, int height) {}
void shelf_x11_get_workarea(GdkMonitor *monitor, GdkRectangle *area) {}
void shelf_x11_get_pointer(GdkDisplay *display, int *x, int *y) {}
void shelf_x11_report_shape(GtkWidget *window) {}

#endif

/* ---- Wayland ---- */

/* Source: gtk4-layer-shell.h. */
enum {
  LAYER_TOP = 2,
  LAYER_OVERLAY = 3,
  EDGE_LEFT = 0,
  EDGE_RIGHT = 1,
  KEYBOARD_NONE = 0,
  KEYBOARD_ON_DEMAND = 2,
};

gboolean shelf_layer_is_supported(void) {
  gboolean (*is_supported)(void) = dlsym(RTLD_DEFAULT, "gtk_layer_is_supported");
  return is_supported && is_supported();
}

void shelf_layer_attach(GtkWidget *window, gboolean to_left, gboolean is_topmost) {
  void (*init)(GtkWindow *) = dlsym(RTLD_DEFAULT, "gtk_layer_init_for_window");
  void (*set_layer)(GtkWindow *, int) = dlsym(RTLD_DEFAULT, "gtk_layer_set_layer");
  void (*set_anchor)(GtkWindow *, int, gboolean) = dlsym(RTLD_DEFAULT, "gtk_layer_set_anchor");
  void (*set_zone)(GtkWindow *, int) = dlsym(RTLD_DEFAULT, "gtk_layer_set_exclusive_zone");
  if (!init || !set_layer || !set_anchor || !set_zone) return;
  init(GTK_WINDOW(window));
  set_layer(GTK_WINDOW(window), is_topmost ? LAYER_OVERLAY : LAYER_TOP);
  /* -1: panels do not move the layer away from the edge. */
  if (is_topmost) set_zone(GTK_WINDOW(window), -1);
  set_anchor(GTK_WINDOW(window), to_left ? EDGE_LEFT : EDGE_RIGHT, TRUE);
}

gboolean shelf_layer_gets_keyboard_at_once(GdkDisplay *display) {
#ifdef GDK_WINDOWING_WAYLAND
  return GDK_IS_WAYLAND_DISPLAY(display) &&
         gdk_wayland_display_query_registry(display, "org_kde_plasma_shell");
#else
  return FALSE;
#endif
}

void shelf_layer_take_keyboard(GtkWidget *window, gboolean takes) {
  void (*set_keyboard)(GtkWindow *, int) = dlsym(RTLD_DEFAULT, "gtk_layer_set_keyboard_mode");
  if (set_keyboard) set_keyboard(GTK_WINDOW(window), takes ? KEYBOARD_ON_DEMAND : KEYBOARD_NONE);
}
