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

/// Returns the server's reply about the extension X-Resource.
static inline const xcb_query_extension_reply_t *cxcb_resources(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_res_id);
}
