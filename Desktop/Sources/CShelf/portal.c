#include "CShelf.h"

static GdkContentFormats *file_formats(void) {
  return gdk_content_formats_union_serialize_mime_types(
    gdk_content_formats_new_for_gtype(GDK_TYPE_FILE_LIST));
}

char **shelf_portal_types(void) {
  g_autoptr(GdkContentFormats) formats = file_formats();
  g_autoptr(GStrvBuilder) types = g_strv_builder_new();
  const char *const *names = gdk_content_formats_get_mime_types(formats, NULL);
  for (; names && *names; names++) {
    if (g_str_has_prefix(*names, "application/vnd.portal.")) g_strv_builder_add(types, *names);
  }
  return g_strv_builder_end(types);
}

static void did_write(GObject *source, GAsyncResult *result, gpointer data) {
  g_autoptr(GError) error = NULL;
  gdk_content_serialize_finish(result, &error);
  shelf_content_written(data, error ? error->message : NULL);
}

void shelf_write_to_portal(GOutputStream *stream, const char *type, const char *const *addresses,
                           GTask *task) {
  GSList *files = NULL;
  for (; *addresses; addresses++)
    files = g_slist_prepend(files, g_file_new_for_uri(*addresses));
  g_auto(GValue) value = G_VALUE_INIT;
  g_value_init(&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed(&value, g_slist_reverse(files));
  gdk_content_serialize_async(stream, type, &value, G_PRIORITY_DEFAULT, NULL, did_write, task);
}

GVariant *shelf_no_options(void) { return g_variant_new_array(G_VARIANT_TYPE("{sv}"), NULL, 0); }
