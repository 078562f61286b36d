import DragboardClient
import Glibc

extension ItemAttributes {
  /// Reads the name, the modification time and the permissions of a file.
  init(ofFileAt path: String) {
    self.init(name: Self.name(ofFileAt: path))
    var status = stat()
    guard NativeArguments.withBytes(of: path, { stat($0, &status) }) == 0 else { return }
    modified = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
    guard status.st_mode & S_IFMT == S_IFREG else { return }
    mode = status.st_mode & Self.permissions
  }

  /// The permissions of owner, group and others; the other bits of a mode are never copied.
  private static let permissions: UInt32 = 0o777

  /// Returns the permissions of a new file with these attributes, before the umask.
  ///
  /// The source chooses the name and the mode. So a file that file managers start by its name is never
  /// executable.
  func permissions(ofFileNamed name: FileName) -> UInt32 {
    let mode = (mode ?? 0o666) & Self.permissions
    return name.text.lowercased().hasSuffix(".desktop") ? mode & ~0o111 : mode
  }

  /// Returns a file's name as a valid name of an item: `_` replaces line breaks and other controls.
  private static func name(ofFileAt path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          let properties = scalar.properties
          let isControl = properties.generalCategory == .control
          return isControl || properties.isNoncharacterCodePoint ? "_" : scalar
        }))
  }
}
