// libxcb, and functions for its extensions, which Swift cannot import: they are variables of an
// incomplete type.
#pragma once
#include <stdbool.h>
#include <stdlib.h>
#include <xcb/res.h>
#include <xcb/xcb.h>
#include <xcb/xfixes.h>
#include <xcb/xtest.h>

/// Returns the server's reply about the extension XFIXES.
static inline const xcb_query_extension_reply_t *cxcb_fixes(xcb_connection_t *connection) {
  return xcb_get_extension_data(connection, &xcb_xfixes_id);
}

/// Returns whether the server has the extension XTEST.
static inline bool cxcb_has_test(xcb_connection_t *connection) {
  const xcb_query_extension_reply_t *reply = xcb_get_extension_data(connection, &xcb_test_id);
  return reply && reply->present;
}

/// Finds the keys that have symbols without modifiers. The code of a symbol that no key has is 0.
static inline void cxcb_find_keys(xcb_connection_t *connection, const xcb_keysym_t *symbols,
                                  xcb_keycode_t *codes, size_t count) {
  for (size_t i = 0; i < count; i++) codes[i] = 0;
  const xcb_setup_t *setup = xcb_get_setup(connection);
  xcb_get_keyboard_mapping_reply_t *reply = xcb_get_keyboard_mapping_reply(
    connection,
    xcb_get_keyboard_mapping(connection, setup->min_keycode,
                             setup->max_keycode - setup->min_keycode + 1),
    NULL);
  if (!reply) return;
  const xcb_keysym_t *all = xcb_get_keyboard_mapping_keysyms(reply);
  int length = xcb_get_keyboard_mapping_keysyms_length(reply), step = reply->keysyms_per_keycode;
  for (size_t i = 0; i < count; i++)
    for (int j = 0; step > 0 && j < length && !codes[i]; j += step)
      if (all[j] == symbols[i]) codes[i] = setup->min_keycode + j / step;
  free(reply);
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
