/// The meaning of types by the standards that define them; tests compare the model and the daemon
/// with it.
///
/// Sources: RFC 2045, section 5.1 (grammar, case, quotes, order of parameters); RFC 2046, section
/// 4.1.2 (the charset); RFC 6838, section 4.2 (names that are registered); Apple, "System-Declared
/// Uniform Type Identifiers"; ICCCM, section 2.6.2, and freedesktop.org's `UTF8_STRING` (X11
/// targets).
public enum TypeTable {
  /// A text, and the MIME type in its normal form.
  public typealias Spelling = (text: String, mime: String)
  /// A query, its normal form, and the names in ``types`` of the conforming types.
  public typealias Question = (text: String, mime: String, conforming: String)

  /// Spellings of MIME types.
  public static let spellings: [Spelling] = [
    // RFC 2045: type, subtype and names of parameters are not case sensitive
    ("text/plain", "text/plain"),
    ("TEXT/Plain", "text/plain"),
    ("Text/X; NAME=v", "text/x;name=v"),
    // RFC 2045: values are case sensitive if their definition does not say otherwise; RFC 2046: the
    // value of charset is not case sensitive
    ("text/x;name=Value", "text/x;name=Value"),
    ("text/plain;charset=UTF-8", "text/plain;charset=utf-8"),
    ("text/plain;CharSet=ISO-8859-1", "text/plain;charset=iso-8859-1"),
    // RFC 2045: quotation marks are not part of the value: these are equivalent
    ("text/plain; charset=us-ascii", "text/plain;charset=us-ascii"),
    ("text/plain; charset=\"us-ascii\"", "text/plain;charset=us-ascii"),
    ("text/plain;charset=\"UTF-8\"", "text/plain;charset=utf-8"),
    ("text/x;a=\"\\b\"", "text/x;a=b"),
    // RFC 2045: a value with white space or tspecials must be quoted
    ("text/x;a=\"b c\"", "text/x;a=\"b c\""),
    ("text/x;a=\"b\tc\"", "text/x;a=\"b\tc\""),
    ("text/x;a=\"b;c=d\"", "text/x;a=\"b;c=d\""),
    ("text/x;a=\"()<>@,;:/[]?=\"", "text/x;a=\"()<>@,;:/[]?=\""),
    ("text/x;a=\"\\\"\\\\\"", "text/x;a=\"\\\"\\\\\""),
    ("text/x;a=\"\"", "text/x;a=\"\""),
    ("text/x;a=\"B C\";b=\"D\"", "text/x;a=\"B C\";b=D"),
    // RFC 2045: the order of parameters is not significant; white space between tokens does not
    // belong to them
    ("text/plain;format=flowed;charset=utf-8", "text/plain;charset=utf-8;format=flowed"),
    ("text/plain;charset=utf-8;format=flowed", "text/plain;charset=utf-8;format=flowed"),
    (" text/plain \t; charset = utf-8 ", "text/plain;charset=utf-8"),
    (
      "multipart/mixed; boundary=gc0p4Jq0M2Yt08jU534c0p",
      "multipart/mixed;boundary=gc0p4Jq0M2Yt08jU534c0p"
    ),
    (
      "message/external-body; access-type=URL; size=5",
      "message/external-body;access-type=URL;size=5"
    ),
    // RFC 2231: a name may end in an asterisk, which is a character of a token
    ("text/x;title*=us-ascii'en'a%20b", "text/x;title*=us-ascii'en'a%20b"),
    // RFC 6838: the characters of registered names, facets and suffixes
    ("image/svg+xml", "image/svg+xml"),
    ("application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"),
    ("application/1d-interleaved-parityfec", "application/1d-interleaved-parityfec"),
    ("application/x!#$&-^_.+z", "application/x!#$&-^_.+z"),
    (String(repeating: "x", count: 127) + "/y", String(repeating: "x", count: 127) + "/y"),
    // types that desktops use
    ("x-special/gnome-copied-files", "x-special/gnome-copied-files"),
    ("application/x-qt-image;value=\"image/png\"", "application/x-qt-image;value=\"image/png\""),
  ]

  /// Names of types on other platforms.
  public static let aliases: [Spelling] = [
    ("public.utf8-plain-text", "text/plain;charset=utf-8"),
    ("UTF8_STRING", "text/plain;charset=utf-8"),
    ("public.plain-text", "text/plain"),
    ("public.html", "text/html"),
    ("public.rtf", "text/rtf"),
    ("public.png", "image/png"),
    ("public.jpeg", "image/jpeg"),
    ("public.tiff", "image/tiff"),
    ("com.adobe.pdf", "application/pdf"),
    ("public.file-url", "text/uri-list"),
    ("public.url", "text/uri-list"),
    ("public.data", "application/octet-stream"),
  ]

  /// Texts that are neither a type nor a query.
  public static let malformed = [
    // a type without a name, or without one of its two names
    "", " ", "text", "/", "text/", "/plain", "text/plain/x", "text;charset=utf-8", "text//plain",
    // RFC 2045: names are tokens, without tspecials, white space, controls and non-ASCII characters
    "te(x)t/plain", "text/pl@in", "text/\"plain\"", "text/plain,text/html", "text /plain",
    "text/ plain", "text/plain x", "text/pl\u{E4}in", "text/plain\n", "text/plain\u{7F}",
    // a semicolon that only looks like one
    "text/plain\u{37E}charset=utf-8",
    // RFC 2045: a parameter is a name, "=", and a value, which is a token or a quoted string, once
    // each
    "text/plain;", "text/plain;;a=b", "text/plain;charset", "text/plain;charset=",
    "text/plain;=utf-8",
    "text/plain;a=b c", "text/plain;a=b/c", "text/plain;a=(b)", "text/plain;a=\"b",
    "text/plain;a=\"b\\\"", "text/plain;a=\"b\"c", "text/plain;a=\"b\u{E4}\"", "text/plain;a='b c'",
    "text/plain;a=1;a=1", "text/plain;a=1;A=2", "text/plain charset=utf-8",
    // comments are for header fields
    "text/plain; charset=us-ascii (Plain text)",
    // identifiers and targets whose meaning is not defined here
    "public.text", "public.image", "public.item", "public.content", "public.utf16-plain-text",
    "com.apple.webarchive", "public", "public.", "public.html ", ".html", "dyn.ah62d4rv4ge80k",
    "STRING", "TEXT", "COMPOUND_TEXT", "TARGETS", "MULTIPLE", "TIMESTAMP", "UTF8-STRING",
    // longer than 255 bytes
    "text/" + String(repeating: "x", count: 251),
    "text/plain;a=\"" + String(repeating: " ", count: 255) + "\"",
  ]

  /// Types by RFC 2045 but not by RFC 6838: new rows cannot have them, stored rows can.
  public static let unregistered = [
    "x/${a-`wl-paste|sh`}", "text/_moz_htmlcontext", "-x/y", "x/--exec",
    ".x/y", "x/+y", "text/{a}", "text/a%b", "text/a'b", "te|xt/plain", "text/`x`", "text/~",
    "text/" + String(repeating: "x", count: 128), String(repeating: "x", count: 128) + "/y",
  ]

  /// Queries for several types; they are not types.
  public static let patterns = ["*/*", "text/*", "TEXT/*", "x-special/*", " image/* "]

  /// Texts that look like a pattern, but are neither a type nor a query.
  public static let malformedPatterns = [
    "*", "**", "*/", "/*", "*/plain", "*/x*", "text/x*", "text/*x", "te*/plain", "*/*/*", "text/**",
    "*/*;q=0.8", "text/*;charset=utf-8", "*.*", "public.*",
  ]

  /// Types in order of fidelity, by the names that ``questions`` gives them.
  public static let types: [(name: String, type: String)] = [
    ("flowed", "text/plain;charset=utf-8;format=flowed"),
    ("utf8", "text/plain;charset=utf-8"),
    ("latin1", "text/plain;charset=iso-8859-1"),
    ("plain", "text/plain"),
    ("html", "text/html"),
    ("html8", "text/html;charset=utf-8"),
    ("uris", "text/uri-list"),
    ("textual", "textual/plain"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("data", "application/octet-stream"),
  ]

  /// The types in ``types`` that conform to a query.
  public static let questions: [Question] = [
    // a type conforms to itself, to itself with fewer parameters, to its top-level type, and to
    // everything
    ("text/plain;charset=utf-8;format=flowed", "text/plain;charset=utf-8;format=flowed", "flowed"),
    ("text/plain;charset=utf-8", "text/plain;charset=utf-8", "flowed utf8"),
    ("text/plain;format=flowed", "text/plain;format=flowed", "flowed"),
    ("text/plain", "text/plain", "flowed utf8 latin1 plain"),
    ("text/*", "text/*", "flowed utf8 latin1 plain html html8 uris"),
    ("*/*", "*/*", "flowed utf8 latin1 plain html html8 uris textual svg png data"),
    ("textual/plain", "textual/plain", "textual"),
    ("textual/*", "textual/*", "textual"),
    ("image/*", "image/*", "svg png"),
    ("image/png", "image/png", "png"),
    ("application/octet-stream", "application/octet-stream", "data"),
    ("text/html", "text/html", "html html8"),
    // in any spelling
    ("TEXT/plain; CHARSET=\"UTF-8\"", "text/plain;charset=utf-8", "flowed utf8"),
    ("Text/*", "text/*", "flowed utf8 latin1 plain html html8 uris"),
    // by an alias; the alias of bytes of unknown kind asks for anything
    ("UTF8_STRING", "text/plain;charset=utf-8", "flowed utf8"),
    ("public.utf8-plain-text", "text/plain;charset=utf-8", "flowed utf8"),
    ("public.plain-text", "text/plain", "flowed utf8 latin1 plain"),
    ("public.url", "text/uri-list", "uris"),
    ("Public.File-URL", "text/uri-list", "uris"),
    ("public.png", "image/png", "png"),
    ("public.data", "*/*", "flowed utf8 latin1 plain html html8 uris textual svg png data"),
    // a type does not conform to a sibling, to a more specific type, or to a type with the same
    // prefix
    ("text/plain;charset=utf-16", "text/plain;charset=utf-16", ""),
    ("text/plain;charset=utf-8;format=fixed", "text/plain;charset=utf-8;format=fixed", ""),
    ("text/plain;Format=Flowed", "text/plain;format=Flowed", ""),
    ("text/plain;format=flowed;delsp=yes", "text/plain;delsp=yes;format=flowed", ""),
    ("text/html;charset=us-ascii", "text/html;charset=us-ascii", ""),
    ("image/svg", "image/svg", ""),
    ("image/svg+xml;charset=utf-8", "image/svg+xml;charset=utf-8", ""),
    ("application/xml", "application/xml", ""),
    ("text/plai", "text/plai", ""),
    ("tex/*", "tex/*", ""),
    ("public.jpeg", "image/jpeg", ""),
    ("com.adobe.pdf", "application/pdf", ""),
    ("application/octet-stream;type=x", "application/octet-stream;type=x", ""),
  ]
}
