import DragboardClient

/// The name of an application for people.
enum ApplicationName {
  /// The maximum number of bytes of a desktop file.
  private static let maxByteCount = 1 << 20

  /// Returns the name in the desktop file of an application id, or the name of the process that has a unique
  /// name; if there is none, returns `application`.
  static func find(
    _ application: String, on dragboard: isolated DragboardConnection
  ) async -> String {
    if application == ClipboardBridge.rowSource { return "clipboard" }
    guard application.hasPrefix(":") else { return desktopName(of: application) ?? application }
    guard let process = try? await dragboard.processID(ofConnection: application) else {
      return application
    }
    return processName(of: process) ?? application
  }

  private static func desktopName(of id: String) -> String? {
    guard !id.isEmpty, !id.contains("/") else { return nil }
    return TypeDatabase.directories.lazy
      .compactMap { name(inDesktopFile: "\($0)/applications/\(id).desktop") }.first
  }

  /// Returns the name in the group `Desktop Entry`; nil if the file cannot be read.
  ///
  /// Source: the Desktop Entry Specification, section 3.
  private static func name(inDesktopFile path: String) -> String? {
    let bytes = try? InputFile(path: path).bytes(atMost: maxByteCount)
    let lines = String(decoding: bytes ?? [], as: UTF8.self).split(whereSeparator: \.isNewline)
    let group = lines.drop { $0 != "[Desktop Entry]" }.dropFirst().prefix { !$0.hasPrefix("[") }
    return group.lazy.compactMap { line -> String? in
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ $0 != " " }) == "Name" else { return nil }
      let name = String(parts[1].drop { $0 == " " })
      return name.isEmpty ? nil : name
    }.first
  }

  private static func processName(of process: Int32) -> String? {
    let bytes = try? InputFile(path: "/proc/\(process)/comm").bytes(atMost: maxByteCount)
    let name = String(decoding: (bytes ?? []).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return name.isEmpty ? nil : name
  }
}
