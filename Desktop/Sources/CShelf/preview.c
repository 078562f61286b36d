#include "CShelf.h"
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
  put('S', size, sizeof size);
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

static void read_picture(int file, int extent) {
  Picture picture = {.extent = extent};
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
  int longest = MAX(gdk_pixbuf_get_width(pixels), gdk_pixbuf_get_height(pixels));
  if (longest <= extent) return put_pixels(pixels);
  /* The decoder has ignored the requested size. */
  double scale = (double)extent / longest;
  g_autoptr(GdkPixbuf) scaled =
    gdk_pixbuf_scale_simple(pixels, (int)MAX(gdk_pixbuf_get_width(pixels) * scale, 1),
                            (int)MAX(gdk_pixbuf_get_height(pixels) * scale, 1), GDK_INTERP_BILINEAR);
  if (scaled) put_pixels(scaled);
}

/* ---- Files ---- */

static gboolean read_facts(const char *path) {
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GFileInfo) info =
    g_file_query_info(file, "standard::type,standard::size,standard::content-type,standard::icon",
                      G_FILE_QUERY_INFO_NONE, NULL, NULL);
  const char *type = info ? g_file_info_get_content_type(info) : NULL;
  if (!type) return FALSE;
  GIcon *icon = g_file_info_get_icon(info);
  g_autofree char *name = icon ? g_icon_to_string(icon) : NULL;
  g_autofree char *size = g_strdup_printf("%" G_GOFFSET_FORMAT, g_file_info_get_size(info));
  if (g_file_info_get_file_type(info) == G_FILE_TYPE_DIRECTORY) put('D', "", 0);
  put_text('B', size);
  put_text('I', name);
  put_text('T', type);
  return g_str_has_prefix(type, "image/");
}

/* Opens a regular file; returns -1 for other files, which could block. */
static int open_file(const char *path) {
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode))) return file;
  close(file);
  return -1;
}

int shelf_read_preview(int extent, const char *path) {
  limit_process();
  if (!path) {
    read_picture(STDIN_FILENO, extent);
  } else if (read_facts(path) && extent > 0) {
    int file = open_file(path);
    if (file >= 0) read_picture(file, extent);
  }
  return EXIT_SUCCESS;
}
