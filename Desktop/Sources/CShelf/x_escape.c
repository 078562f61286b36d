#include "CShelf.h"
#include <X11/XKBlib.h>
#include <X11/extensions/XInput2.h>
#include <X11/keysym.h>
#include <gdk/x11/gdkx.h>

static gboolean did_happen(GdkDisplay *display, const XEvent *event, gpointer drag) {
  const XGenericEventCookie *cookie = &event->xcookie;
  if (event->type != GenericEvent || cookie->evtype != XI_KeyPress || !cookie->data) return FALSE;
  const XIDeviceEvent *key = cookie->data;
  Display *server = gdk_x11_display_get_xdisplay(display);
  if (key->event != DefaultRootWindow(server)) return FALSE;
  if (XkbKeycodeToKeysym(server, (KeyCode)key->detail, 0, 0) != XK_Escape) return FALSE;
  g_signal_emit_by_name(drag, "cancel", GDK_DRAG_CANCEL_USER_CANCELLED);
  return TRUE;
}

static void did_end(GdkDrag *drag) {
  g_signal_handlers_disconnect_by_func(gdk_drag_get_display(drag), did_happen, drag);
}

void shelf_x_cancel_by_escape(GdkDrag *drag) {
  GdkDisplay *display = gdk_drag_get_display(drag);
  if (!GDK_IS_X11_DISPLAY(display)) return;
  g_signal_connect_object(display, "xevent", G_CALLBACK(did_happen), drag, 0);
  /* GTK retains some drags forever, so disconnect the handler of the key when a drag ends. */
  const char *ends[] = {"cancel", "drop-performed", "dnd-finished"};
  for (size_t end = 0; end < G_N_ELEMENTS(ends); end++)
    g_signal_connect(drag, ends[end], G_CALLBACK(did_end), NULL);
}
