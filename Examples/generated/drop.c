// Drops the latest drag on the board "default" and prints the ids of the new rows, with code that
// gdbus-codegen generates.

#include "dragboard.h"

#include <stdio.h>

#define BUS G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_NONE, "org.dragboard.Dragboard1"
#define CALL G_DBUS_CALL_FLAGS_NONE, G_MAXINT  // Calls have no timeout, because a drop waits for its promises.

static void check(gboolean is_fine, GError *error, const char *reason) {
    if (is_fine) return;
    fprintf(stderr, "drop: %s\n", error ? error->message : reason);
    exit(1);
}

int main(void) {
    GError *error = NULL;
    g_autoptr(DragboardManager) manager = dragboard_manager_proxy_new_for_bus_sync(
        BUS, "/org/dragboard/Dragboard1", NULL, &error);
    check(manager != NULL, error, "");
    const char *const *session = dragboard_manager_get_sessions(manager);
    check(session && *session, NULL, "nothing is being dragged");
    while (session[1]) session++;

    g_autoptr(DragboardDropTarget) board = dragboard_drop_target_proxy_new_for_bus_sync(
        BUS, "/org/dragboard/Dragboard1/board/default", NULL, &error);
    check(board != NULL, error, "");
    g_autofree char *operation = NULL;
    g_auto(GStrv) rows = NULL;
    gboolean is_done = dragboard_drop_target_call_perform_drop_sync(
        board, *session, "", 0, -1, CALL, &operation, &rows, NULL, &error);
    check(is_done, error, "");
    check(*rows != NULL, NULL, operation);
    for (char **row = rows; *row; row++) puts(*row);
    return 0;
}
