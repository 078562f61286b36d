// Adds a row to the board "default" and prints the rows, with code that gdbus-codegen generates.
//
//   rows TEXT

#include "dragboard.h"

#include <stdio.h>
#include <stdlib.h>

static void fail_if(GError *error) {
    if (!error) return;
    fprintf(stderr, "rows: %s\n", error->message);
    exit(1);
}

static void print_rows(GVariant *rows) {
    GVariantIter iterator;
    const char *id, *preview;
    GVariant *types, *attributes;
    g_variant_iter_init(&iterator, rows);
    while (g_variant_iter_loop(&iterator, "(&s&s@as@a{sv})", &id, &preview, &types, &attributes)) {
        guint64 size = 0;
        g_variant_lookup(attributes, "size", "t", &size);
        printf("%s (%" G_GUINT64_FORMAT " bytes)\n", preview, size);
    }
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: rows TEXT\n");
        return 64;
    }
    GError *error = NULL;
    g_autoptr(DragboardBoard) board = dragboard_board_proxy_new_for_bus_sync(
        G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_NONE, "org.dragboard.Dragboard1",
        "/org/dragboard/Dragboard1/board/default", NULL, &error);
    fail_if(error);

    g_autofree char *item = NULL;
    dragboard_board_call_insert_text_sync(
        board, 0, -1, arguments[1], G_DBUS_CALL_FLAGS_NONE, -1, &item, NULL, &error);
    fail_if(error);

    guint64 revision;
    g_autoptr(GVariant) rows = NULL;
    dragboard_board_call_get_rows_sync(
        board, 0, 0, 100, G_DBUS_CALL_FLAGS_NONE, -1, &revision, &rows, NULL, &error);
    fail_if(error);
    print_rows(rows);
    return 0;
}
