import DragboardClient
import Glibc

extension ItemAttributes {
  /// Reads the name and the modification time of a file.
  init(ofFileAt path: String) {
    self.init(name: Self.name(ofFileAt: path))
    var status = stat()
    guard NativeArguments.withBytes(of: path, { stat($0, &status) }) == 0 else { return }
    modified = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
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
