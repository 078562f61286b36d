#include "CShelf.h"

#define SHELF_TYPE_STOP (shelf_stop_get_type())
G_DECLARE_FINAL_TYPE(ShelfStop, shelf_stop, SHELF, STOP, GtkWidget)

struct _ShelfStop {
  GtkWidget parent;
  ShelfStopEnter enter;
  gpointer data;
};

G_DEFINE_FINAL_TYPE(ShelfStop, shelf_stop, GTK_TYPE_WIDGET)

static gboolean move_focus(GtkWidget *widget, GtkDirectionType direction) {
  ShelfStop *self = SHELF_STOP(widget);
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  ShelfStopAnswer answer = SHELF_STOP_PASS;
  if (is_tab) answer = self->enter(self->data, gtk_widget_get_focus_child(widget) != NULL);
  if (answer == SHELF_STOP_PASS)
    return GTK_WIDGET_CLASS(shelf_stop_parent_class)->focus(widget, direction);
  return answer == SHELF_STOP_STAY;
}

static void dispose(GObject *object) {
  GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(object));
  if (child) gtk_widget_unparent(child);
  G_OBJECT_CLASS(shelf_stop_parent_class)->dispose(object);
}

static void shelf_stop_class_init(ShelfStopClass *class) {
  G_OBJECT_CLASS(class)->dispose = dispose;
  GTK_WIDGET_CLASS(class)->focus = move_focus;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void shelf_stop_init(ShelfStop *self) {}

GtkWidget *shelf_stop_new(GtkWidget *child, ShelfStopEnter enter, gpointer data) {
  ShelfStop *self = g_object_new(SHELF_TYPE_STOP, NULL);
  self->enter = enter;
  self->data = data;
  gtk_widget_set_parent(child, GTK_WIDGET(self));
  return GTK_WIDGET(self);
}
