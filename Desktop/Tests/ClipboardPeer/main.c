/* A program of the tests that owns the clipboard: with data-control on Wayland if WAYLAND_DISPLAY is set, otherwise on X11.
 *
 * clipboard-peer TYPE=SOURCE...: offers the types in this order. SOURCE is the path of a file, @hang for no answer,
 * @endless for bytes without end, or @trickle for one byte each 100 ms without end. On Wayland, SOURCE can also be
 * @half for 50,000 bytes and no end, with the report of the request after the bytes. On X11, it can be @odd for a
 * property of 7 bytes with a wrong type, @many for a property of 4,000 atoms, @elsewhere for an answer that names
 * another property, or @twice for two answers. The type TARGETS can have these sources, too, and @late for an answer
 * after 11 seconds. @slow is 6 MB in 15 seconds. The program writes "owner" when it owns the clipboard, and "asked
 * TYPE" for each request. When another program owns the clipboard, it writes "lost" and exits.
 *
 * clipboard-peer --grab TYPE=SOURCE...: on X11, grabs the server, writes "grabbed" and reads a line; then does the above.
 * clipboard-peer --pastes COUNT TYPE: requests a type COUNT times, and writes "started" or "refused" for each answer. It
 * reads no bytes of a long type. With --full-pipes instead, on Wayland, it requests the type into full pipes, writes
 * "ready", and then "refused" for each pipe that is closed.
 * clipboard-peer --types | --paste TYPE: on Wayland, writes the offered types, or the bytes of one type.
 * clipboard-peer --reclaim COUNT: claims the clipboard of X11 COUNT times, answers no request, writes "done" and exits.
 * clipboard-peer --count: writes "ready", then "changed" for each change of the owner of X11's clipboard. */
#define _GNU_SOURCE
#include <CDataControl.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/Xfixes.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TYPES = 64, MAX_PASTES = 256, CHUNK = 50000 };
/* The pieces of a slow type, and the time before each, in microseconds. */
enum { SLOW_PIECES = 120, SLOW_TIME = 125000 };

struct type {
  const char *name;
  enum { BYTES, HANG, ENDLESS, TRICKLE, HALF, ODD, MANY, ELSEWHERE, TWICE, LATE, SLOW } kind;
  unsigned char *bytes;
  size_t count;
  Atom atom;
};

static struct type types[MAX_TYPES];
static int type_count;
static unsigned char zeros[CHUNK];

static void report(const char *word, const char *name) {
  printf("%s%s%s\n", word, name ? " " : "", name ? name : "");
  fflush(stdout);
}

static int parse(char *argument) {
  char *equals = strrchr(argument, '=');
  if (!equals || type_count == MAX_TYPES) return -1;
  *equals = 0;
  struct type *type = &types[type_count++];
  type->name = argument;
  const char *source = equals + 1;
  static const char *const kinds[] = {
    "@hang", "@endless", "@trickle", "@half", "@odd", "@many", "@elsewhere", "@twice", "@late", "@slow"};
  for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
    if (!strcmp(source, kinds[i])) return type->kind = HANG + i, 0;
  int fd = open(source, O_RDONLY);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) < 0) return -1;
  type->bytes = malloc(status.st_size + 1);
  while (type->count < (size_t)status.st_size) {
    ssize_t step = read(fd, type->bytes + type->count, status.st_size - type->count);
    if (step <= 0) return -1;
    type->count += step;
  }
  return close(fd);
}

static struct type *find(const char *name) {
  for (int i = 0; i < type_count; i++)
    if (!strcmp(types[i].name, name)) return &types[i];
  return NULL;
}

/* ---- Wayland ---- */

static void write_all(int fd, const struct type *type) {
  bool is_endless = type->kind != BYTES;
  size_t count = type->kind == ENDLESS || type->kind == HALF || type->kind == SLOW ? CHUNK : is_endless ? 1 : type->count;
  const unsigned char *bytes = is_endless ? zeros : type->bytes;
  int rounds = 0;
  do {
    for (size_t done = 0; done < count;) {
      ssize_t step = write(fd, bytes + done, count - done);
      if (step <= 0) return;
      done += step;
    }
    if (type->kind == TRICKLE) usleep(100000);
    if (type->kind == SLOW) usleep(SLOW_TIME);
    if (type->kind == HALF) return;
    if (type->kind == SLOW && ++rounds == SLOW_PIECES) return;
  } while (is_endless);
}

static int own_wayland(void) {
  struct data_control *control = data_control_connect(false);
  if (!control) return 1;
  data_control_begin_claim(control);
  for (int i = 0; i < type_count; i++) data_control_offer(control, types[i].name);
  data_control_claim(control);
  data_control_flush(control);
  report("owner", NULL);
  while (1) {
    struct data_control_event event = data_control_next(control);
    switch (event.kind) {
      case DATA_CONTROL_NONE:
        poll(&(struct pollfd){data_control_fd(control), POLLIN, 0}, 1, -1);
        break;
      case DATA_CONTROL_SELECTED:
      case DATA_CONTROL_PRIMARY_OFFERED:
        if (event.offer) data_offer_destroy(event.offer);
        break;
      case DATA_CONTROL_SYNCHRONIZED:
      case DATA_CONTROL_PRIMARY_LOST:
        break;
      /* The peer offers no primary selection, so nobody requests it. */
      case DATA_CONTROL_PRIMARY_REQUESTED:
        free(event.name);
        close(event.fd);
        break;
      case DATA_CONTROL_WINDOW:
        free(event.name);
        free(event.title);
        break;
      case DATA_CONTROL_REQUESTED: {
        struct type *type = find(event.name);
        if (type && type->kind == HALF) write_all(event.fd, type);
        report("asked", event.name);
        free(event.name);
        if (type && (type->kind == HANG || type->kind == HALF)) break;
        if (type) write_all(event.fd, type);
        close(event.fd);
        break;
      }
      case DATA_CONTROL_LOST:
        report("lost", NULL);
        return 0;
      case DATA_CONTROL_FINISHED:
        return 1;
    }
  }
}

/* Writes the bytes of a type of the clipboard, or the names of all types if name is NULL. */
static int paste_wayland(const char *name) {
  struct data_control *control = data_control_connect(false);
  if (!control) return 1;
  struct data_offer *offer = data_control_next(control).offer;
  if (!offer) return 1;
  for (size_t i = 0; !name && i < data_offer_count(offer); i++) puts(data_offer_name(offer, i));
  if (!name) return 0;
  int ends[2];
  if (pipe(ends)) return 1;
  data_offer_receive(offer, name, ends[1]);
  data_control_flush(control);
  close(ends[1]);
  unsigned char bytes[CHUNK];
  ssize_t count;
  while ((count = read(ends[0], bytes, sizeof bytes)) > 0) fwrite(bytes, 1, count, stdout);
  return count < 0;
}

/* Requests a type, and reads at most one byte of each answer, and none from full pipes. */
static int start_pastes_wayland(int count, const char *name, bool is_full) {
  struct data_control *control = data_control_connect(false);
  struct data_offer *offer = control ? data_control_next(control).offer : NULL;
  struct pollfd pipes[MAX_PASTES];
  if (!offer) return 1;
  for (int i = 0; i < count; i++) {
    int ends[2];
    if (pipe(ends)) return 1;
    if (is_full && write(ends[1], (char[1 << 16]){0}, 1 << 16) != 1 << 16) return 1;
    data_offer_receive(offer, name, ends[1]);
    data_control_flush(control);
    close(ends[1]);
    pipes[i] = (struct pollfd){ends[0], is_full ? 0 : POLLIN, 0};
  }
  if (is_full) report("ready", NULL);
  while (1) {
    poll(pipes, count, -1);
    for (int i = 0; i < count; i++) {
      char byte;
      if (!pipes[i].revents) continue;
      report(!is_full && read(pipes[i].fd, &byte, 1) == 1 ? "started" : "refused", NULL);
      pipes[i].fd = -1;
    }
  }
}

/* ---- X11 ---- */

static Display *display;
static Atom targets, increments;
/* The transfers in increments: other clipboard managers read a copy at the same time as the bridge. */
static struct transfer {
  Window window;
  Atom property;
  /* NULL if the place is free. */
  struct type *type;
  size_t done;
} transfers[16];

/* Returns the transfer to a property of a window, or else a free place. */
static struct transfer *find_transfer(Window window, Atom property) {
  struct transfer *found = NULL;
  for (int i = 0; i < (int)(sizeof transfers / sizeof *transfers); i++) {
    struct transfer *transfer = &transfers[i];
    if (!transfer->type) found = transfer;
    else if (transfer->window == window && transfer->property == property) return transfer;
  }
  return found;
}

static int ignore_error(Display *display, XErrorEvent *error) { return 0; }

static void answer_x(const XSelectionRequestEvent *request) {
  XSelectionEvent answer = {
    .type = SelectionNotify, .requestor = request->requestor, .selection = request->selection,
    .target = request->target, .property = request->property, .time = request->time};
  struct type *type = NULL;
  for (int i = 0; i < type_count; i++)
    if (types[i].atom == request->target) type = &types[i];
  if (type && type->kind == LATE) sleep(11);
  if (request->target == targets && (!type || type->kind == LATE)) {
    Atom atoms[MAX_TYPES + 1] = {targets};
    for (int i = 0; i < type_count; i++) atoms[i + 1] = types[i].atom;
    XChangeProperty(display, request->requestor, request->property, XA_ATOM, 32, PropModeReplace,
                    (unsigned char *)atoms, type_count + 1);
  } else if (!type) {
    answer.property = None;
  } else {
    report("asked", type->name);
    if (type->kind == HANG || type->kind == HALF) return;
    if (type->kind == ODD) {
      XChangeProperty(display, request->requestor, request->property, XA_POINT, 8, PropModeReplace,
                      zeros, 7);
    } else if (type->kind == MANY) {
      XChangeProperty(display, request->requestor, request->property, XA_ATOM, 32, PropModeReplace,
                      (unsigned char *)(long[4000]){XA_STRING}, 4000);
    } else if (type->kind == ELSEWHERE) {
      answer.property = targets;
    } else if (type->kind == TWICE || (type->kind == BYTES && type->count <= CHUNK)) {
      if (type->kind == TWICE) XSendEvent(display, request->requestor, False, 0, (XEvent *)&answer);
      XChangeProperty(display, request->requestor, request->property, request->target, 8,
                      PropModeReplace, type->bytes, type->count);
    } else {
      long size = type->count;
      XSelectInput(display, request->requestor, PropertyChangeMask);
      XChangeProperty(display, request->requestor, request->property, increments, 32,
                      PropModeReplace, (unsigned char *)&size, 1);
      struct transfer *transfer = find_transfer(request->requestor, request->property);
      if (transfer) *transfer = (struct transfer){request->requestor, request->property, type, 0};
    }
  }
  XSendEvent(display, request->requestor, False, 0, (XEvent *)&answer);
}

static void continue_x(const XPropertyEvent *event) {
  struct transfer *transfer = find_transfer(event->window, event->atom);
  if (event->state != PropertyDelete || !transfer || !transfer->type) return;
  struct type *type = transfer->type;
  size_t rest = (type->kind == SLOW ? SLOW_PIECES * CHUNK : type->count) - transfer->done;
  size_t count = type->kind == TRICKLE ? 1 : type->kind == ENDLESS || rest > CHUNK ? CHUNK : rest;
  if (type->kind == TRICKLE) usleep(100000);
  if (type->kind == SLOW) usleep(SLOW_TIME);
  XChangeProperty(display, transfer->window, transfer->property, type->atom, 8, PropModeReplace,
                  type->kind == BYTES ? type->bytes + transfer->done : zeros, count);
  transfer->done += count;
  if (count == 0) transfer->type = NULL;
}

static Atom open_x(void) {
  display = XOpenDisplay(NULL);
  if (!display) exit(1);
  XSetErrorHandler(ignore_error);
  return XInternAtom(display, "CLIPBOARD", False);
}

static int reclaim_x(int count) {
  Atom clipboard = open_x();
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  while (count-- > 0) {
    XSetSelectionOwner(display, clipboard, window, CurrentTime);
    XSync(display, False);
  }
  report("done", NULL);
  return 0;
}

static int count_x(void) {
  Atom clipboard = open_x();
  int first_event, first_error;
  if (!XFixesQueryExtension(display, &first_event, &first_error)) return 1;
  XFixesSelectSelectionInput(display, DefaultRootWindow(display), clipboard,
                             XFixesSetSelectionOwnerNotifyMask);
  XSync(display, False);
  report("ready", NULL);
  while (1) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type == first_event) report("changed", NULL);
  }
}

/* Requests a type, and does not delete the properties with the answers, so that increments do not end. */
static int start_pastes_x(int count, const char *name) {
  Atom clipboard = open_x();
  Atom target = XInternAtom(display, name, False);
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  for (int i = 0; i < count; i++) {
    char property[16];
    snprintf(property, sizeof property, "PASTE_%d", i);
    XConvertSelection(display, clipboard, target, XInternAtom(display, property, False), window, CurrentTime);
  }
  while (1) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type == SelectionNotify) report(event.xselection.property ? "started" : "refused", NULL);
  }
}

static int own_x(bool is_grabbed) {
  Atom clipboard = open_x();
  targets = XInternAtom(display, "TARGETS", False);
  increments = XInternAtom(display, "INCR", False);
  for (int i = 0; i < type_count; i++) types[i].atom = XInternAtom(display, types[i].name, False);
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  if (is_grabbed) {
    XGrabServer(display);
    XSync(display, False);
    report("grabbed", NULL);
    getchar();
  }
  XSetSelectionOwner(display, clipboard, window, CurrentTime);
  XUngrabServer(display);
  XSync(display, False);
  report("owner", NULL);
  while (1) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type == SelectionRequest) answer_x(&event.xselectionrequest);
    if (event.type == PropertyNotify) continue_x(&event.xproperty);
    if (event.type == SelectionClear) {
      report("lost", NULL);
      return 0;
    }
  }
}

int main(int count, char **arguments) {
  signal(SIGPIPE, SIG_IGN);
  if (count == 2 && !strcmp(arguments[1], "--types")) return paste_wayland(NULL);
  if (count == 3 && !strcmp(arguments[1], "--paste")) return paste_wayland(arguments[2]);
  if (count == 3 && !strcmp(arguments[1], "--reclaim")) return reclaim_x(atoi(arguments[2]));
  if (count == 2 && !strcmp(arguments[1], "--count")) return count_x();
  bool is_wayland = getenv("WAYLAND_DISPLAY");
  bool is_full = count == 4 && !strcmp(arguments[1], "--full-pipes");
  if (is_full || (count == 4 && !strcmp(arguments[1], "--pastes"))) {
    int pastes = atoi(arguments[2]);
    if (pastes > MAX_PASTES) return 2;
    return is_wayland ? start_pastes_wayland(pastes, arguments[3], is_full) : start_pastes_x(pastes, arguments[3]);
  }
  bool is_grabbed = count > 1 && !strcmp(arguments[1], "--grab");
  for (int i = is_grabbed ? 2 : 1; i < count; i++)
    if (parse(arguments[i])) return 2;
  return is_wayland ? own_wayland() : own_x(is_grabbed);
}
