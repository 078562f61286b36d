#include "CShelf.h"

typedef struct {
  GClosure closure;
  ShelfSignalHandler handler;
} HandlerClosure;

static void call_handler(GClosure *closure, GValue *answer, guint count, const GValue *arguments,
                         gpointer hint, gpointer marshal_data) {
  HandlerClosure *self = (HandlerClosure *)closure;
  self->handler(answer, count, arguments, closure->data);
}

void shelf_connect(gpointer sender, const char *signal, ShelfSignalHandler handler, gpointer data,
                   GClosureNotify destroy) {
  GClosure *closure = g_closure_new_simple(sizeof(HandlerClosure), data);
  ((HandlerClosure *)closure)->handler = handler;
  g_closure_set_marshal(closure, call_handler);
  if (destroy) g_closure_add_finalize_notifier(closure, data, destroy);
  g_signal_connect_closure(sender, signal, closure, FALSE);
}
