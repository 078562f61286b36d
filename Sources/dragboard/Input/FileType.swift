import DragboardClient

/// The types of files by their names.
///
/// They come from the desktop's MIME database. If the system has none, a small table has the most
/// frequent types.
enum FileType {
  /// Returns the type for the name of a file; nil if the name has no known type.
  static func ofName(_ path: String) -> ContentType? {
    let name = String(path.split(separator: "/").last ?? "")
    if let type = TypeDatabase.standard.type(ofName: name) { return type }
    guard TypeDatabase.standard.isEmpty, let dot = name.lastIndex(of: "."), dot != name.startIndex
    else { return nil }
    return types[name[name.index(after: dot)...].lowercased()]
  }

  /// Returns the extension for a type, including the dot; "" if there is none.
  static func ending(of type: ContentType) -> String {
    let essence = type.essence
    if essence == "text/plain" { return ".txt" }
    let endings = types.filter { $0.value == essence }.keys
    if let ending = endings.min(by: { ($0.count, $0) < ($1.count, $1) }) { return ".\(ending)" }
    return TypeDatabase.standard.ending(of: essence) ?? ""
  }

  /// Frequent types, sorted.
  static let known =
    Set(types.values.map { $0 == "text/plain" ? .plainText : $0 }.map(\.rawValue)).sorted()

  private static let types: [String: ContentType] = [
    "txt": "text/plain", "text": "text/plain", "log": "text/plain", "md": "text/markdown",
    "html": .html, "htm": .html, "css": "text/css", "csv": "text/csv", "xml": "text/xml",
    "rtf": "text/rtf", "ics": "text/calendar", "vcf": "text/vcard", "json": "application/json",
    "yaml": "application/yaml", "c": "text/x-csrc", "py": "text/x-python", "rs": "text/rust",
    "sh": "application/x-shellscript", "js": "text/javascript",
    "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
    "tar": "application/x-tar", "iso": "application/x-cd-image",
    "odt": "application/vnd.oasis.opendocument.text",
    "png": .png, "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "tiff": "image/tiff", "tif": "image/tiff", "webp": "image/webp", "svg": "image/svg+xml",
    "mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/x-wav", "mp4": "video/mp4",
    "webm": "video/webm",
  ]
}

extension ContentType {
  /// The type without its parameters.
  var essence: ContentType {
    ContentType(String(rawValue.split(separator: ";").first ?? "").lowercased())
  }

  /// Whether the bytes are text: `text/*`, JSON, XML, YAML and scripts.
  var isText: Bool {
    let essence = essence.rawValue
    return essence.hasPrefix("text/") || essence.hasSuffix("+json") || essence.hasSuffix("+xml")
      || Self.otherTexts.contains(essence)
  }

  private static let otherTexts: Set<String> = [
    "application/json", "application/xml", "application/yaml", "application/x-yaml",
    "application/toml", "application/javascript", "application/ecmascript", "application/sql",
    "application/x-sh", "application/x-shellscript", "application/x-csh", "application/x-perl",
    "application/x-php", "application/x-ruby", "application/x-awk", "application/x-m4",
    "application/x-desktop", "application/jsonl", "application/ld+json", "application/x-ndjson",
    "application/x-mswinurl", "application/pgp-keys", "application/x-subrip",
    "application/x-x509-ca-cert", "application/mbox", "application/x-tex", "message/rfc822",
  ]
}
