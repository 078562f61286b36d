public import Foundation

extension FileHandle {
  /// Opens a file or a named pipe, which programs do not inherit.
  ///
  /// Foundation opens files without `O_CLOEXEC`. Every program that another test starts meanwhile would have the pipe
  /// open, too, so its reader would not see the end before all these programs have ended.
  ///
  /// The corresponding C function is `open`.
  ///
  /// - Throws: `CocoaError` if the file cannot be opened.
  public convenience init(opening path: String, _ flags: Int32) throws {
    let number = open(path, flags | O_CLOEXEC)
    guard number >= 0 else {
      throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path])
    }
    self.init(fileDescriptor: number, closeOnDealloc: true)
  }
}
