internal import Files
internal import Glibc

/// A note beside the database that it is damaged: what can be read of it is recovered when it is opened next.
///
/// Anybody may leave one, an empty one at that.
package enum DamageNote {
  /// Returns what the note in the directory says; nil if there is none.
  ///
  /// - Throws: `StoreError.unusable` if the note cannot be read.
  package static func read(in directory: String) throws(StoreError) -> String? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try FileDescriptor(opening: directory + "/" + DataFiles.damageNote, O_RDONLY).read(
        1_000, at: 0)
    } catch {
      guard error.code == ENOENT else { throw .unusable(error) }
      return nil
    }
    let text = String(decoding: (bytes ?? []).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return text.isEmpty ? "a note said so" : text
  }

  /// Removes the note.
  package static func remove(in directory: String) {
    unlink(directory + "/" + DataFiles.damageNote)
  }

  /// Leaves a note, where there is none.
  ///
  /// Where the disk does not take it, the damage is found another time.
  package static func leave(_ damage: String, in directory: String) {
    guard
      let file = try? FileDescriptor(
        opening: directory + "/" + DataFiles.damageNote, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    else { return }
    let line = Array("\(damage)\n".utf8)
    try? line.span.bytes.withUnsafeBytes { bytes throws(FileError) in try file.write(bytes) }
    try? file.syncData()
  }
}
