import DragboardClient

/// The types of files by their extensions.
enum FileType {
  /// Returns the type for the extension of a path; bytes if the extension is unknown.
  static func of(_ path: String) -> ContentType {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return .data }
    return types[name[name.index(after: dot)...].lowercased()] ?? .data
  }

  /// Returns the extension for a type, including the dot; "" if there is none.
  static func ending(of type: ContentType) -> String {
    let essence = ContentType(String(type.rawValue.split(separator: ";").first ?? ""))
    if essence == "text/plain" { return ".txt" }
    let endings = types.filter { $0.value == essence }.keys
    return endings.min { ($0.count, $0) < ($1.count, $1) }.map { ".\($0)" } ?? ""
  }

  /// All types with an extension, sorted.
  static let known = Set(types.values.map(\.rawValue)).sorted()

  private static let types: [String: ContentType] = [
    "txt": .plainText, "text": .plainText, "log": .plainText, "md": "text/markdown",
    "html": .html, "htm": .html, "css": "text/css", "csv": "text/csv", "xml": "text/xml",
    "rtf": "text/rtf", "ics": "text/calendar", "vcf": "text/vcard", "json": "application/json",
    "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
    "png": .png, "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "tiff": "image/tiff", "tif": "image/tiff", "webp": "image/webp", "svg": "image/svg+xml",
    "mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/x-wav", "mp4": "video/mp4",
    "webm": "video/webm",
  ]
}
