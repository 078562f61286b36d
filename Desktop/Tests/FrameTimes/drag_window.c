/* A window that appears beside the pointer when another program begins a drag on X11, with which the shelf is compared.
 *
 * drag-window         shows the window until the drag ends
 * drag-window clock   shows nothing, and prints the time of each beginning in microseconds */
#include <X11/extensions/Xfixes.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <gdk/x11/gdkx.h>
#include <stdio.h>

static Display *server;
static int first_event;
static GtkWidget *window;

static void show_at(int x, int y) {
  GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
  Display *own = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
  gdk_x11_surface_set_user_time(surface, 0);
  for (int turn = 0; turn < 2; turn++) {
    XMoveWindow(own, gdk_x11_surface_get_xid(surface), x - 344, y - 120);
    gtk_widget_set_visible(window, TRUE);
  }
}

static gboolean handle(int file, GIOCondition condition, gpointer is_clock) {
  while (XPending(server)) {
    XEvent event;
    XNextEvent(server, &event);
    if (event.type != first_event + XFixesSelectionNotify) continue;
    Window root, child;
    int x, y, child_x, child_y;
    unsigned buttons;
    XQueryPointer(server, DefaultRootWindow(server), &root, &child, &x, &y, &child_x, &child_y, &buttons);
    gboolean has_begun = ((XFixesSelectionNotifyEvent *)&event)->owner && (buttons & Button1Mask);
    if (is_clock) {
      if (has_begun) printf("%" G_GINT64_FORMAT "\n", g_get_monotonic_time());
    } else if (has_begun) {
      show_at(x, y);
    } else {
      gtk_widget_set_visible(window, FALSE);
    }
  }
  return TRUE;
}

/* Qt 5 keeps the selection after its drag. */
static gboolean hide_without_button(gpointer data) {
  Window root, child;
  int x, y, child_x, child_y;
  unsigned buttons;
  XQueryPointer(server, DefaultRootWindow(server), &root, &child, &x, &y, &child_x, &child_y, &buttons);
  if (!(buttons & Button1Mask)) gtk_widget_set_visible(window, FALSE);
  return TRUE;
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  int error;
  server = XOpenDisplay(NULL);
  if (!server || !XFixesQueryExtension(server, &first_event, &error)) return 1;
  XFixesSelectSelectionInput(server, DefaultRootWindow(server), XInternAtom(server, "XdndSelection", False),
                             XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask |
                               XFixesSelectionClientCloseNotifyMask);
  if (count < 2) {
    gtk_init();
    window = gtk_window_new();
    gtk_window_set_title(GTK_WINDOW(window), "Shelf at the Pointer");
    gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(window), 320, 360);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    for (int row = 0; row < 8; row++)
      gtk_box_append(GTK_BOX(box), gtk_label_new("A line of a window that is measured"));
    gtk_window_set_child(GTK_WINDOW(window), box);
    gtk_widget_realize(window);
    g_timeout_add(50, hide_without_button, NULL);
  }
  g_unix_fd_add(ConnectionNumber(server), G_IO_IN, handle, GINT_TO_POINTER(count > 1));
  handle(0, 0, GINT_TO_POINTER(count > 1));
  while (TRUE) g_main_context_iteration(NULL, TRUE);
}
