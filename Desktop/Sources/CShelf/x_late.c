#include "CShelf.h"
#include <gdk/x11/gdkx.h>

/* The window of the program whose drop the shelf has received last; None after the next drag has
 * entered. */
static Window dropper = None;

/* GTK 3, and so Firefox, sets the actions at the start of each drag. GTK 4 keeps the previous drop
 * until the next drag enters, would change the actions of that drop, and report a critical error,
 * because it has ended. It reads the actions again when the drag enters. */
static gboolean did_happen(GdkDisplay *display, const XEvent *event) {
  switch (event->type) {
    case ClientMessage: {
      Atom message = event->xclient.message_type;
      if (message == gdk_x11_get_xatom_by_name_for_display(display, "XdndEnter")) dropper = None;
      if (message == gdk_x11_get_xatom_by_name_for_display(display, "XdndDrop"))
        dropper = (Window)event->xclient.data.l[0];
      return FALSE;
    }
    case PropertyNotify:
      return dropper != None && event->xproperty.window == dropper &&
             event->xproperty.atom ==
               gdk_x11_get_xatom_by_name_for_display(display, "XdndActionList");
    default: return FALSE;
  }
}

void shelf_x_ignore_late_actions(GdkDisplay *display) {
  static gboolean is_watched = FALSE;
  if (!GDK_IS_X11_DISPLAY(display) || is_watched) return;
  is_watched = TRUE;
  g_signal_connect(display, "xevent", G_CALLBACK(did_happen), NULL);
}
