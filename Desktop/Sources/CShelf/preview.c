#include "CShelf.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The process that reads a picture or a file for a preview. It decodes data of other programs, so the
 * system limits its memory and its time. Its output consists of records (PreviewAnswer.swift): the
 * dimensions of a picture come before its pixels, so they are known even if the process is ended. */

/* The maximum memory of a preview in bytes. */
static const rlim_t max_memory = 64 << 20;
/* The maximum processor time in seconds. */
static const rlim_t max_seconds = 4;
/* The maximum number of pixels of a picture that is decoded in its original size. */
static const gint64 max_pixels = 16000000;

static void limit(int resource, rlim_t value) {
  setrlimit(resource, &(struct rlimit){value, value});
}

/* Returns the memory for data that the process has now. Source: proc(5), `/proc/pid/statm`. */
static rlim_t data_size(void) {
  g_autofree char *text = NULL;
  if (!g_file_get_contents("/proc/self/statm", &text, NULL, NULL)) return 0;
  g_auto(GStrv) fields = g_strsplit(text, " ", -1);
  if (g_strv_length(fields) < 6) return 0;
  return (rlim_t)g_ascii_strtoull(fields[5], NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit_process(void) {
  /* If a file system hangs, the process could outlive the shelf. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  /* A process that has reached its limit of memory aborts, which must not write a core dump. */
  prctl(PR_SET_DUMPABLE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, max_seconds);
  limit(RLIMIT_DATA, data_size() + max_memory);
}

static void write_all(const void *bytes, gsize count) {
  while (count > 0) {
    ssize_t written = write(STDOUT_FILENO, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) exit(EXIT_FAILURE);
    bytes = (const char *)bytes + written;
    count -= (gsize)written;
  }
}

static void begin_record(char tag, gsize count) {
  guint32 length = GUINT32_TO_BE((guint32)count);
  write_all(&tag, 1);
  write_all(&length, sizeof length);
}

static void put(char tag, const void *bytes, gsize count) {
  begin_record(tag, count);
  write_all(bytes, count);
}

static void put_text(char tag, const char *text) {
  if (text) put(tag, text, strlen(text));
}

/* ---- Pictures ---- */

typedef struct {
  int extent;
  gboolean is_too_large;
  /* Whether the picture shows another file, whose dimensions it does not have. */
  gboolean is_thumbnail;
} Picture;

/* Returns whether the decoder scales a picture while it decodes it, so that the original size needs no
 * memory. */
static gboolean scales(GdkPixbufLoader *loader) {
  GdkPixbufFormat *format = gdk_pixbuf_loader_get_format(loader);
  g_autofree char *name = format ? gdk_pixbuf_format_get_name(format) : NULL;
  return name && (strcmp(name, "jpeg") == 0 || strcmp(name, "svg") == 0);
}

static void did_measure(GdkPixbufLoader *loader, int width, int height, gpointer data) {
  Picture *picture = data;
  guint32 size[] = {GUINT32_TO_BE((guint32)width), GUINT32_TO_BE((guint32)height)};
  if (!picture->is_thumbnail) put('S', size, sizeof size);
  picture->is_too_large = (gint64)width * height > max_pixels && !scales(loader);
  double scale = (double)picture->extent / MAX(MAX(width, height), 1);
  if (picture->is_too_large)
    /* A decoder that is asked for this size decodes nothing. */
    gdk_pixbuf_loader_set_size(loader, 0, 0);
  else if (scale < 1)
    gdk_pixbuf_loader_set_size(loader, MAX(width * scale, 1), MAX(height * scale, 1));
}

static void put_pixels(GdkPixbuf *pixels) {
  gsize width = (gsize)gdk_pixbuf_get_width(pixels), height = (gsize)gdk_pixbuf_get_height(pixels);
  gsize channels = (gsize)gdk_pixbuf_get_n_channels(pixels), row = width * channels;
  guint32 header[] = {GUINT32_TO_BE((guint32)width), GUINT32_TO_BE((guint32)height),
                      GUINT32_TO_BE((guint32)channels)};
  begin_record('P', sizeof header + row * height);
  write_all(header, sizeof header);
  for (gsize line = 0; line < height; line++)
    write_all(gdk_pixbuf_read_pixels(pixels) + line * (gsize)gdk_pixbuf_get_rowstride(pixels), row);
}

static void put_scaled(GdkPixbuf *pixels, int extent) {
  int width = gdk_pixbuf_get_width(pixels), height = gdk_pixbuf_get_height(pixels);
  double scale = (double)extent / MAX(width, height);
  if (scale >= 1) return put_pixels(pixels);
  g_autoptr(GdkPixbuf) scaled = gdk_pixbuf_scale_simple(
    pixels, (int)MAX(width * scale, 1), (int)MAX(height * scale, 1), GDK_INTERP_BILINEAR);
  if (scaled) put_pixels(scaled);
}

static void read_picture(int file, int extent, gboolean is_thumbnail) {
  Picture picture = {.extent = extent, .is_thumbnail = is_thumbnail};
  g_autoptr(GdkPixbufLoader) loader = gdk_pixbuf_loader_new();
  g_signal_connect(loader, "size-prepared", G_CALLBACK(did_measure), &picture);
  gboolean is_picture = TRUE;
  while (is_picture && !picture.is_too_large) {
    static guint8 bytes[64 << 10];
    ssize_t count = read(file, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    is_picture = gdk_pixbuf_loader_write(loader, bytes, (gsize)count, NULL);
  }
  is_picture = gdk_pixbuf_loader_close(loader, NULL) && is_picture;
  GdkPixbuf *pixels = gdk_pixbuf_loader_get_pixbuf(loader);
  if (!is_picture || picture.is_too_large || !pixels) return;
  /* A decoder may ignore the requested size. */
  put_scaled(pixels, extent);
}

/* ---- Documents ---- */

/* Draws the first page of a PDF document, if the library Poppler is installed. It is loaded here, so that
 * the shelf neither needs it nor has it in its memory. */
static void read_document(const char *path, int extent) {
  void *poppler = dlopen("libpoppler-glib.so.8", RTLD_LAZY);
  if (!poppler) return;
  gpointer (*open_document)(const char *, const char *, GError **) =
    dlsym(poppler, "poppler_document_new_from_file");
  gpointer (*get_page)(gpointer, int) = dlsym(poppler, "poppler_document_get_page");
  void (*get_size)(gpointer, double *, double *) = dlsym(poppler, "poppler_page_get_size");
  void (*render)(gpointer, cairo_t *) = dlsym(poppler, "poppler_page_render");
  if (!open_document || !get_page || !get_size || !render) return;
  g_autofree char *address = g_filename_to_uri(path, NULL, NULL);
  g_autoptr(GObject) document = address ? open_document(address, NULL, NULL) : NULL;
  g_autoptr(GObject) page = document ? get_page(document, 0) : NULL;
  double width = 0, height = 0;
  if (page) get_size(page, &width, &height);
  if (!(width > 0 && height > 0)) return;
  double scale = extent / MAX(width, height);
  cairo_surface_t *surface = cairo_image_surface_create(
    CAIRO_FORMAT_RGB24, (int)MAX(width * scale, 1), (int)MAX(height * scale, 1));
  cairo_t *context = cairo_create(surface);
  cairo_set_source_rgb(context, 1, 1, 1);
  cairo_paint(context);
  cairo_scale(context, scale, scale);
  render(page, context);
  cairo_destroy(context);
  g_autoptr(GdkPixbuf) pixels =
    gdk_pixbuf_get_from_surface(surface, 0, 0, cairo_image_surface_get_width(surface),
                                cairo_image_surface_get_height(surface));
  cairo_surface_destroy(surface);
  if (pixels) put_scaled(pixels, extent);
}

/* Writes the beginning of a text file. */
static void read_text(int file) {
  static char bytes[(64 << 10) + 1];
  gsize end = 0;
  while (end < sizeof bytes) {
    ssize_t count = read(file, bytes + end, sizeof bytes - end);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    end += (gsize)count;
  }
  put('X', bytes, end);
}

/* ---- Files ---- */

/* Writes the facts of a file; returns its type, and the path of the desktop's thumbnail if it has one. The
 * caller frees both. */
static char *read_facts(const char *path, char **thumbnail) {
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileInfo) info = g_file_query_info(
    file,
    "standard::type,standard::size,standard::content-type,standard::icon,thumbnail::path,"
    "thumbnail::is-valid",
    G_FILE_QUERY_INFO_NONE, NULL, NULL);
  const char *type = info ? g_file_info_get_content_type(info) : NULL;
  if (!type) return NULL;
  GIcon *icon = g_file_info_get_icon(info);
  g_autofree char *name = icon ? g_icon_to_string(icon) : NULL;
  g_autofree char *size = g_strdup_printf("%" G_GOFFSET_FORMAT, g_file_info_get_size(info));
  if (g_file_info_get_file_type(info) == G_FILE_TYPE_DIRECTORY) put('D', "", 0);
  put_text('B', size);
  put_text('I', name);
  put_text('T', type);
  if (g_file_info_get_attribute_boolean(info, G_FILE_ATTRIBUTE_THUMBNAIL_IS_VALID))
    *thumbnail =
      g_strdup(g_file_info_get_attribute_byte_string(info, G_FILE_ATTRIBUTE_THUMBNAIL_PATH));
  return g_strdup(type);
}

/* Opens a regular file; returns -1 for other files, which could block. */
static int open_file(const char *path) {
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode))) return file;
  close(file);
  return -1;
}

/* Whether the content of standard input is a PDF document. */
static gboolean is_document(void) {
  char bytes[5];
  return pread(STDIN_FILENO, bytes, sizeof bytes, 0) == sizeof bytes &&
         memcmp(bytes, "%PDF-", sizeof bytes) == 0;
}

/* The maximum extent for which the desktop's thumbnails are large enough. */
static const int max_thumbnail = 128;

static void read_file(const char *path, int extent) {
  g_autofree char *thumbnail = NULL;
  g_autofree char *type = read_facts(path, &thumbnail);
  if (!type || extent <= 0) return;
  int file = open_file(path);
  if (file < 0) return;
  if (g_str_has_prefix(type, "image/")) return read_picture(file, extent, FALSE);
  int picture = thumbnail && extent <= max_thumbnail ? open_file(thumbnail) : -1;
  if (picture >= 0) return read_picture(picture, extent, TRUE);
  if (strcmp(type, "application/pdf") == 0) return read_document(path, extent);
  if (extent > max_thumbnail && g_content_type_is_a(type, "text/plain")) read_text(file);
}

int shelf_read_preview(int extent, const char *path) {
  limit_process();
  if (path)
    read_file(path, extent);
  else if (is_document())
    read_document("/proc/self/fd/0", extent);
  else
    read_picture(STDIN_FILENO, extent, FALSE);
  return EXIT_SUCCESS;
}
