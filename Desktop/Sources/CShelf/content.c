#include "CShelf.h"

#define SHELF_TYPE_CONTENT (shelf_content_get_type())
G_DECLARE_FINAL_TYPE(ShelfContent, shelf_content, SHELF, CONTENT, GdkContentProvider)

struct _ShelfContent {
  GdkContentProvider parent;
  char **types;
  ShelfContentWriter write;
  gpointer data;
  GDestroyNotify destroy;
};

G_DEFINE_FINAL_TYPE(ShelfContent, shelf_content, GDK_TYPE_CONTENT_PROVIDER)

static GdkContentFormats *formats(GdkContentProvider *provider) {
  ShelfContent *self = SHELF_CONTENT(provider);
  return gdk_content_formats_new((const char **)self->types, g_strv_length(self->types));
}

static void write_async(GdkContentProvider *provider, const char *type, GOutputStream *stream,
                        int priority, GCancellable *cancellable, GAsyncReadyCallback done,
                        gpointer done_data) {
  ShelfContent *self = SHELF_CONTENT(provider);
  GTask *task = g_task_new(provider, cancellable, done, done_data);
  g_task_set_priority(task, priority);
  self->write(type, g_object_ref(stream), task, self->data);
}

static gboolean write_finish(GdkContentProvider *provider, GAsyncResult *result, GError **error) {
  return g_task_propagate_boolean(G_TASK(result), error);
}

void shelf_content_written(GTask *task, const char *error) {
  if (error)
    g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", error);
  else
    g_task_return_boolean(task, TRUE);
  g_object_unref(task);
}

static void finalize(GObject *object) {
  ShelfContent *self = SHELF_CONTENT(object);
  g_strfreev(self->types);
  if (self->destroy) self->destroy(self->data);
  G_OBJECT_CLASS(shelf_content_parent_class)->finalize(object);
}

static void shelf_content_class_init(ShelfContentClass *class) {
  G_OBJECT_CLASS(class)->finalize = finalize;
  GDK_CONTENT_PROVIDER_CLASS(class)->ref_formats = formats;
  GDK_CONTENT_PROVIDER_CLASS(class)->write_mime_type_async = write_async;
  GDK_CONTENT_PROVIDER_CLASS(class)->write_mime_type_finish = write_finish;
}

static void shelf_content_init(ShelfContent *self) {}

GdkContentProvider *shelf_content_new(const char *const *types, ShelfContentWriter write,
                                      gpointer data, GDestroyNotify destroy) {
  ShelfContent *self = g_object_new(SHELF_TYPE_CONTENT, NULL);
  self->types = g_strdupv((char **)types);
  self->write = write;
  self->data = data;
  self->destroy = destroy;
  return GDK_CONTENT_PROVIDER(self);
}
