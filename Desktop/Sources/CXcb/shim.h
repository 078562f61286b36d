// libxcb, and functions for its extensions, which Swift cannot import: they are variables of an
// incomplete type.
#pragma once
#include <stdlib.h>
#include <xcb/res.h>
#include <xcb/xcb.h>
#include <xcb/xfixes.h>

/// Returns the server's reply about the extension XFIXES.
static inline const xcb_query_extension_reply_t *cxcb_fixes(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_xfixes_id);
}

/// Returns the process that owns a window; 0 if the server does not know it.
static inline uint32_t cxcb_process(xcb_connection_t *connection, xcb_window_t window) {
  const xcb_query_extension_reply_t *resources = xcb_get_extension_data(connection, &xcb_res_id);
  if (!resources || !resources->present) return 0;
  xcb_res_client_id_spec_t spec = {window, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
  xcb_res_query_client_ids_reply_t *reply = xcb_res_query_client_ids_reply(
    connection, xcb_res_query_client_ids(connection, 1, &spec), NULL);
  if (!reply) return 0;
  xcb_res_client_id_value_iterator_t ids = xcb_res_query_client_ids_ids_iterator(reply);
  uint32_t process = ids.rem > 0 && xcb_res_client_id_value_value_length(ids.data) > 0
                       ? *xcb_res_client_id_value_value(ids.data)
                       : 0;
  free(reply);
  return process;
}
