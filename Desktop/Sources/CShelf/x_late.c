#include "CShelf.h"
#include <gdk/x11/gdkx.h>

/* The window of the program whose drop the shelf has received last; None after the next drag has
 * entered. */
static Window dropper = None;

/* GTK 3, and so Firefox, can send a position after the drop. GTK 4 would then change the actions of
 * the drop, which has already begun, and report a critical error. The answer to a position after the
 * drop has no meaning. */
static gboolean did_happen(GdkDisplay *display, const XEvent *event) {
  if (event->type != ClientMessage) return FALSE;
  Atom message = event->xclient.message_type;
  Window source = (Window)event->xclient.data.l[0];
  if (message == gdk_x11_get_xatom_by_name_for_display(display, "XdndEnter")) dropper = None;
  if (message == gdk_x11_get_xatom_by_name_for_display(display, "XdndDrop")) dropper = source;
  return dropper != None && source == dropper &&
         message == gdk_x11_get_xatom_by_name_for_display(display, "XdndPosition");
}

void shelf_x_ignore_late_positions(GdkDisplay *display) {
  static gboolean is_watched = FALSE;
  if (!GDK_IS_X11_DISPLAY(display) || is_watched) return;
  is_watched = TRUE;
  g_signal_connect(display, "xevent", G_CALLBACK(did_happen), NULL);
}
