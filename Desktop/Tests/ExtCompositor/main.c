/* A compositor of the tests, without a screen, whose only protocol is ext-data-control-v1. No compositor in Debian 12 has
 * this protocol.
 *
 * ext-compositor: prints the name of its socket in XDG_RUNTIME_DIR, which ends with its process id. It answers a misuse of
 * the protocol with a protocol error. SIGUSR1 ends all devices, as if the seat had been removed. After SIGUSR2, it
 * exits when it has sent the first event of the next device. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wayland-server.h>

/* ---- The protocol ---- */

enum { ERROR_INVALID_OFFER = 1, ERROR_USED_SOURCE = 1 };
enum { DEVICE_DATA_OFFER, DEVICE_SELECTION, DEVICE_FINISHED, DEVICE_PRIMARY_SELECTION };
enum { SOURCE_SEND, SOURCE_CANCELLED };
enum { OFFER_OFFER };

static const struct wl_interface *no_types[2];
static const struct wl_message offer_requests[] = {{"receive", "sh", no_types}, {"destroy", "", no_types}};
static const struct wl_message offer_events[] = {{"offer", "s", no_types}};
static const struct wl_interface offer_interface = {
  "ext_data_control_offer_v1", 1, 2, offer_requests, 1, offer_events};
static const struct wl_message source_requests[] = {{"offer", "s", no_types}, {"destroy", "", no_types}};
static const struct wl_message source_events[] = {{"send", "sh", no_types}, {"cancelled", "", no_types}};
static const struct wl_interface source_interface = {
  "ext_data_control_source_v1", 1, 2, source_requests, 2, source_events};
static const struct wl_interface *source_types[] = {&source_interface};
static const struct wl_interface *offer_types[] = {&offer_interface};
static const struct wl_message device_requests[] = {
  {"set_selection", "?o", source_types}, {"destroy", "", no_types}, {"set_primary_selection", "?o", source_types}};
static const struct wl_message device_events[] = {{"data_offer", "n", offer_types},
                                                  {"selection", "?o", offer_types},
                                                  {"finished", "", no_types},
                                                  {"primary_selection", "?o", offer_types}};
static const struct wl_interface device_interface = {
  "ext_data_control_device_v1", 1, 3, device_requests, 4, device_events};
static const struct wl_interface *device_types[] = {&device_interface, &wl_seat_interface};
static const struct wl_message manager_requests[] = {
  {"create_data_source", "n", source_types}, {"get_data_device", "no", device_types}, {"destroy", "", no_types}};
static const struct wl_interface manager_interface = {
  "ext_data_control_manager_v1", 1, 3, manager_requests, 0, NULL};

/* ---- The clipboard ---- */

enum { MAX_NAMES = 300 };

struct source {
  struct wl_resource *resource;
  size_t count;
  char *names[MAX_NAMES];
  int is_used;
  struct wl_list offers;
};

struct offer {
  /* NULL after the end of the source. */
  struct source *source;
  struct wl_list link;
};

static struct wl_display *display;
static struct wl_list devices;
static struct source *selection;
static int exits_soon;

static void destroy(struct wl_client *client, struct wl_resource *resource) { wl_resource_destroy(resource); }

static void receive(struct wl_client *client, struct wl_resource *resource, const char *name, int fd) {
  struct offer *offer = wl_resource_get_user_data(resource);
  if (offer->source) wl_resource_post_event(offer->source->resource, SOURCE_SEND, name, fd);
  close(fd);
}

static void offer_destroyed(struct wl_resource *resource) {
  struct offer *offer = wl_resource_get_user_data(resource);
  wl_list_remove(&offer->link);
  free(offer);
}

static const struct {
  void (*receive)(struct wl_client *, struct wl_resource *, const char *, int);
  void (*destroy)(struct wl_client *, struct wl_resource *);
} offer_implementation = {receive, destroy};

/* Sends an offer of a source. If the source is NULL, the offer has no types. */
static struct wl_resource *send_offer(struct wl_resource *device, struct source *source) {
  struct offer *offer = calloc(1, sizeof *offer);
  struct wl_resource *resource = wl_resource_create(wl_resource_get_client(device), &offer_interface, 1, 0);
  offer->source = source;
  wl_list_init(&offer->link);
  if (source) wl_list_insert(&source->offers, &offer->link);
  wl_resource_set_implementation(resource, &offer_implementation, offer, offer_destroyed);
  wl_resource_post_event(device, DEVICE_DATA_OFFER, resource);
  for (size_t i = 0; source && i < source->count; i++)
    wl_resource_post_event(resource, OFFER_OFFER, source->names[i]);
  return resource;
}

static void send_selection(struct wl_resource *device) {
  wl_resource_post_event(device, DEVICE_SELECTION, selection ? send_offer(device, selection) : NULL);
}

static void select_source(struct source *source) {
  if (selection && selection != source) wl_resource_post_event(selection->resource, SOURCE_CANCELLED);
  selection = source;
  struct wl_resource *device;
  wl_resource_for_each(device, &devices) send_selection(device);
}

static void add_name(struct wl_client *client, struct wl_resource *resource, const char *name) {
  struct source *source = wl_resource_get_user_data(resource);
  if (source->is_used)
    wl_resource_post_error(resource, ERROR_INVALID_OFFER, "a type was offered after set_selection");
  else if (source->count < MAX_NAMES)
    source->names[source->count++] = strdup(name);
}

static void source_destroyed(struct wl_resource *resource) {
  struct source *source = wl_resource_get_user_data(resource);
  struct offer *offer, *next;
  wl_list_for_each_safe(offer, next, &source->offers, link) {
    offer->source = NULL;
    wl_list_remove(&offer->link);
    wl_list_init(&offer->link);
  }
  if (selection == source) {
    selection = NULL;
    select_source(NULL);
  }
  for (size_t i = 0; i < source->count; i++) free(source->names[i]);
  free(source);
}

static const struct {
  void (*offer)(struct wl_client *, struct wl_resource *, const char *);
  void (*destroy)(struct wl_client *, struct wl_resource *);
} source_implementation = {add_name, destroy};

static void set_selection(struct wl_client *client, struct wl_resource *device, struct wl_resource *resource) {
  struct source *source = resource ? wl_resource_get_user_data(resource) : NULL;
  if (source && source->is_used) {
    wl_resource_post_error(device, ERROR_USED_SOURCE, "the source was used before");
    return;
  }
  if (source) source->is_used = 1;
  select_source(source);
}

static void set_primary(struct wl_client *client, struct wl_resource *device, struct wl_resource *source) {}

static const struct {
  void (*set_selection)(struct wl_client *, struct wl_resource *, struct wl_resource *);
  void (*destroy)(struct wl_client *, struct wl_resource *);
  void (*set_primary_selection)(struct wl_client *, struct wl_resource *, struct wl_resource *);
} device_implementation = {set_selection, destroy, set_primary};

static void device_destroyed(struct wl_resource *resource) { wl_list_remove(wl_resource_get_link(resource)); }

static void create_source(struct wl_client *client, struct wl_resource *manager, uint32_t id) {
  struct source *source = calloc(1, sizeof *source);
  wl_list_init(&source->offers);
  source->resource = wl_resource_create(client, &source_interface, 1, id);
  wl_resource_set_implementation(source->resource, &source_implementation, source, source_destroyed);
}

static void get_device(struct wl_client *client, struct wl_resource *manager, uint32_t id, struct wl_resource *seat) {
  struct wl_resource *device = wl_resource_create(client, &device_interface, 1, id);
  wl_resource_set_implementation(device, &device_implementation, NULL, device_destroyed);
  wl_list_insert(&devices, wl_resource_get_link(device));
  send_selection(device);
  if (exits_soon) {
    wl_client_flush(client);
    exit(0);
  }
  wl_resource_post_event(device, DEVICE_PRIMARY_SELECTION, send_offer(device, NULL));
}

static const struct {
  void (*create_data_source)(struct wl_client *, struct wl_resource *, uint32_t);
  void (*get_data_device)(struct wl_client *, struct wl_resource *, uint32_t, struct wl_resource *);
  void (*destroy)(struct wl_client *, struct wl_resource *);
} manager_implementation = {create_source, get_device, destroy};

static void bind_manager(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
  struct wl_resource *resource = wl_resource_create(client, &manager_interface, version, id);
  wl_resource_set_implementation(resource, &manager_implementation, NULL, NULL);
}

static void bind_seat(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
  wl_seat_send_capabilities(wl_resource_create(client, &wl_seat_interface, version, id), 0);
}

static int finish(int number, void *data) {
  struct wl_resource *device;
  wl_resource_for_each(device, &devices) wl_resource_post_event(device, DEVICE_FINISHED);
  return 0;
}

static int exit_soon(int number, void *data) {
  exits_soon = 1;
  return 0;
}

int main(void) {
  char name[32];
  snprintf(name, sizeof name, "wayland-ext-%d", getpid());
  wl_list_init(&devices);
  display = wl_display_create();
  if (!display || wl_display_add_socket(display, name)) return 1;
  wl_event_loop_add_signal(wl_display_get_event_loop(display), SIGUSR1, finish, NULL);
  wl_event_loop_add_signal(wl_display_get_event_loop(display), SIGUSR2, exit_soon, NULL);
  wl_global_create(display, &manager_interface, 1, NULL, bind_manager);
  wl_global_create(display, &wl_seat_interface, 1, NULL, bind_seat);
  puts(name);
  fflush(stdout);
  wl_display_run(display);
  return 0;
}
