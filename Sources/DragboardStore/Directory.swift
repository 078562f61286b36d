package import Files
internal import Glibc

/// Directories of the file system, made durably.
package enum Directory {
  /// Makes a directory and the missing ones above it, durably, for this user alone.
  ///
  /// If it cannot be made durable, it is not made.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - file: a file that is in it as soon as its name is durable: a directory without the file may be
  ///     that of a process that was killed before.
  /// - Throws: `StoreError.unusable`, `StoreError.file`.
  package static func make(_ path: String, for file: String? = nil) throws(StoreError) {
    var end = path.startIndex
    while end != path.endIndex {
      end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
      let folder = String(path[..<end])
      let isNew = mkdir(folder, 0o700) == 0
      // Whatever the umask.
      if isNew { chmod(folder, 0o700) }
      guard isNew || errno == EEXIST || errno == EISDIR else {
        throw .unusable(FileError(path: folder))
      }
      let isUnsettled =
        end == path.endIndex && file.map { access("\(path)/\($0)", F_OK) != 0 } ?? false
      guard isNew || isUnsettled else { continue }
      do throws(FileError) { try sync(folder + "/..") } catch {
        if isNew { rmdir(folder) }
        throw .file(error)
      }
    }
  }

  /// Creates an empty file with mode 0600 if there is none.
  package static func touch(_ path: String) throws(FileError) {
    _ = try FileDescriptor(opening: path, O_RDWR | O_CREAT, mode: 0o600)
  }

  /// Makes the names in the folder durable.
  package static func sync(_ path: String) throws(FileError) {
    do throws(FileError) {
      try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).syncNames()
    } catch {
      // One that can be written to, but not read, is taken as it is.
      guard error.code == EACCES else { throw error }
    }
  }
}
