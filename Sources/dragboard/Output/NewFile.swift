import Glibc

/// A file that was not there before, closed with the last reference.
final class NewFile {
  /// Where it is.
  let path: String
  private let descriptor: Int32

  /// Makes one; where the name is taken, one with a number behind it: `report-2.pdf`.
  ///
  /// - Throws: `system`.
  init(named name: String, in folder: String) throws(Failure) {
    let name = Self.shortened(name)
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
    for number in 1...10_000 {
      let number = number == 1 ? "" : "-\(number)"
      let path = "\(folder)/\(name[..<dot])\(number)\(name[dot...])"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      guard errno == EEXIST else { throw .system("open \(path)") }
    }
    throw .system(call: "open \(folder)/\(name)", code: EEXIST)
  }

  deinit { close(descriptor) }

  /// Checks that files can be made in a folder.
  ///
  /// - Throws: `system`.
  static func check(folder: String) throws(Failure) {
    // The slash makes a file that is no folder fail.
    guard access(folder + "/", W_OK | X_OK) == 0 else { throw .system(folder) }
  }

  /// Writes all bytes.
  ///
  /// - Throws: `system`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try Console.write(bytes, to: descriptor)
  }

  /// Removes it again.
  func remove() { unlink(path) }

  /// A name that leaves room for a number: file systems take 255 bytes.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > 240 else { return name }
    var end = name.utf8.index(name.startIndex, offsetBy: 240)
    while end.samePosition(in: name.unicodeScalars) == nil { end = name.utf8.index(before: end) }
    return String(name[..<end])
  }
}
