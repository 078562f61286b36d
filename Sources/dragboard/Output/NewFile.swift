import DragboardClient
import Files
import Glibc

/// A newly created file.
///
/// It is closed when the last reference is released.
final class NewFile {
  /// The path of the file.
  ///
  /// It begins with the path of the directory as the user wrote it.
  var path: String { "\(directory.path)/\(name)" }
  private let name: FileName
  private let directory: OutputDirectory
  let descriptor: FileDescriptor

  /// Creates a file.
  ///
  /// If the name exists, adds a number to it: `report-2.pdf`. The file gets the permissions of the
  /// attributes, from which the system removes those of the umask.
  ///
  /// - Throws: `system`.
  init(
    named name: FileName, _ attributes: ItemAttributes, in directory: OutputDirectory
  ) throws(Failure) {
    self.directory = directory
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    for number in 1...10_000 {
      let name = number == 1 ? name : name.numbered(number)
      let descriptor = openat(
        directory.descriptor.number, name.text, flags, attributes.permissions(ofFileNamed: name))
      if descriptor >= 0 {
        (self.name, self.descriptor) = (name, FileDescriptor(adopting: descriptor))
        return
      }
      guard errno == EEXIST else { throw .system("open \(directory.path)/\(name)") }
    }
    throw .system(call: "open \(directory.path)/\(name)", code: EEXIST)
  }

  /// Sets the modification time, if the file system supports it.
  func setModified(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    futimens(descriptor.number, [time, time])
  }

  func remove() { unlinkat(directory.descriptor.number, name.text, 0) }
}
