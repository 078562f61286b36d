#include "CShelf.h"
#include <errno.h>
#include <unistd.h>

/* Two functions with which another loop can run Dispatch's main queue. Foundation's run loop uses
 * them. */
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

int shelf_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }

void shelf_main_queue_run(void) {
  guint64 count;
  /* The descriptor is nonblocking. If the jobs have already been run, the read fails. Ignore this. */
  if (read(_dispatch_get_main_queue_handle_4CF(), &count, sizeof count) < 0) errno = 0;
  _dispatch_main_queue_callback_4CF(NULL);
}
