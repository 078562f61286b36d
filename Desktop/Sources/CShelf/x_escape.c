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

void shelf_x_cancel_by_escape(GdkDrag *drag) {
  GdkDisplay *display = gdk_drag_get_display(drag);
  /* The handler is disconnected when the drag is finalized. */
  if (GDK_IS_X11_DISPLAY(display))
    g_signal_connect_object(display, "xevent", G_CALLBACK(did_happen), drag, 0);
}
