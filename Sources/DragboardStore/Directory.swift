package import Files
internal import Glibc

/// Functions that create directories durably.
package enum Directory {
  /// Creates a directory and its missing parents durably.
  ///
  /// Only this user can access them.
  ///
  /// If this fails, the new directory is removed.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - file: the name of a file that is created in the new directory before the directory's name
  ///     becomes durable. If the directory exists without this file, an earlier process may have
  ///     been killed before the name was durable. So the name is made durable now.
  /// - Throws: `StoreError.unusable` if a directory cannot be created; `StoreError.file` if it
  ///   cannot be made durable.
  package static func make(_ path: String, for file: String? = nil) throws(StoreError) {
    var end = path.startIndex
    while end != path.endIndex {
      end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
      let folder = String(path[..<end])
      let isNew = mkdir(folder, 0o700) == 0
      // The mode must not depend on the umask.
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

  /// Makes the names in a directory durable.
  package static func sync(_ path: String) throws(FileError) {
    do throws(FileError) {
      try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).syncNames()
    } catch {
      // A directory that cannot be read cannot be synced, even if it can be written. This error is
      // ignored.
      guard error.code == EACCES else { throw error }
    }
  }
}
