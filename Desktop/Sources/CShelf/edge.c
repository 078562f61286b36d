#include "CShelf.h"
#include <dlfcn.h>
#include <gdk/gdk.h>
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

void shelf_x11_place(GtkWidget *window, int x, int y, int width, int height) {
  GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
  int scale = gdk_surface_get_scale_factor(surface);
  XMoveResizeWindow(gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface)),
                    gdk_x11_surface_get_xid(surface), x * scale, y * scale, width * scale,
                    height * scale);
}

void shelf_x11_get_workarea(GdkMonitor *monitor, GdkRectangle *area) {
  gdk_x11_monitor_get_workarea(monitor, area);
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
void shelf_x11_report_shape(GtkWidget *window) {}

#endif

/* ---- Wayland ---- */

/* Source: gtk4-layer-shell.h. */
enum { LAYER_TOP = 2, EDGE_LEFT = 0, EDGE_RIGHT = 1, KEYBOARD_ON_DEMAND = 2 };

gboolean shelf_layer_is_supported(void) {
  gboolean (*is_supported)(void) = dlsym(RTLD_DEFAULT, "gtk_layer_is_supported");
  return is_supported && is_supported();
}

void shelf_layer_attach(GtkWidget *window, gboolean to_left) {
  void (*init)(GtkWindow *) = dlsym(RTLD_DEFAULT, "gtk_layer_init_for_window");
  void (*set_layer)(GtkWindow *, int) = dlsym(RTLD_DEFAULT, "gtk_layer_set_layer");
  void (*set_anchor)(GtkWindow *, int, gboolean) = dlsym(RTLD_DEFAULT, "gtk_layer_set_anchor");
  void (*set_keyboard)(GtkWindow *, int) = dlsym(RTLD_DEFAULT, "gtk_layer_set_keyboard_mode");
  if (!init || !set_layer || !set_anchor || !set_keyboard) return;
  init(GTK_WINDOW(window));
  set_layer(GTK_WINDOW(window), LAYER_TOP);
  set_anchor(GTK_WINDOW(window), to_left ? EDGE_LEFT : EDGE_RIGHT, TRUE);
  set_keyboard(GTK_WINDOW(window), KEYBOARD_ON_DEMAND);
}
