import DragboardClient
import Files
import Glibc

/// A file that did not exist before; it is closed with the last reference.
final class NewFile {
  /// Its path, in the directory as that was given.
  var path: String { "\(directory.path)/\(name)" }
  private let name: FileName
  private let directory: Directory
  let descriptor: FileDescriptor

  /// Creates a file; if the name exists, under one with a number: `report-2.pdf`.
  ///
  /// - Throws: `system`.
  init(named name: FileName, in directory: Directory) throws(Failure) {
    self.directory = directory
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    for number in 1...10_000 {
      let name = number == 1 ? name : name.numbered(number)
      let descriptor = openat(directory.descriptor.number, name.text, flags, 0o666)
      if descriptor >= 0 {
        (self.name, self.descriptor) = (name, FileDescriptor(adopting: descriptor))
        return
      }
      guard errno == EEXIST else { throw .system("open \(directory.path)/\(name)") }
    }
    throw .system(call: "open \(directory.path)/\(name)", code: EEXIST)
  }

  /// Sets the modification time; a file system without such times keeps its own.
  func setModified(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    futimens(descriptor.number, [time, time])
  }

  func remove() { unlinkat(directory.descriptor.number, name.text, 0) }
}
