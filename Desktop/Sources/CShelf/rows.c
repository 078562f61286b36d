#include "CShelf.h"

#define SHELF_TYPE_ROWS (shelf_rows_get_type())
G_DECLARE_FINAL_TYPE(ShelfRows, shelf_rows, SHELF, ROWS, GObject)

struct _ShelfRows {
  GObject parent;
  ShelfRowsSource source;
  gpointer data;
};

static GType item_type(GListModel *model) { return G_TYPE_OBJECT; }

static guint item_count(GListModel *model) {
  ShelfRows *self = SHELF_ROWS(model);
  return self->source.count(self->data);
}

static gpointer item_at(GListModel *model, guint position) {
  return position < item_count(model) ? g_object_new(G_TYPE_OBJECT, NULL) : NULL;
}

static void rows_list_init(GListModelInterface *model) {
  model->get_item_type = item_type;
  model->get_n_items = item_count;
  model->get_item = item_at;
}

static gboolean is_selected(GtkSelectionModel *model, guint position) {
  ShelfRows *self = SHELF_ROWS(model);
  return self->source.is_selected(self->data, position);
}

static gboolean set_selection(GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask) {
  ShelfRows *self = SHELF_ROWS(model);
  self->source.select(self->data, selected, mask);
  return TRUE;
}

static void rows_selection_init(GtkSelectionModelInterface *model) {
  model->is_selected = is_selected;
  model->set_selection = set_selection;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(ShelfRows, shelf_rows, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, rows_list_init)
                                G_IMPLEMENT_INTERFACE(GTK_TYPE_SELECTION_MODEL,
                                                      rows_selection_init))

static void shelf_rows_class_init(ShelfRowsClass *class) {}
static void shelf_rows_init(ShelfRows *self) {}

GtkSelectionModel *shelf_rows_new(const ShelfRowsSource *source, gpointer data) {
  ShelfRows *self = g_object_new(SHELF_TYPE_ROWS, NULL);
  self->source = *source;
  self->data = data;
  return GTK_SELECTION_MODEL(self);
}
