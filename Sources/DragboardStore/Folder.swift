internal import Glibc

/// A folder of the file system, and what is made in it.
enum Folder {
  /// Makes the folder and what is missing above it, durably, for this user alone.
  ///
  /// Where that cannot be made durable, the folder is not made.
  static func make(_ path: String) throws(StoreError) {
    var end = path.startIndex
    while end != path.endIndex {
      end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
      let folder = String(path[..<end])
      if mkdir(folder, 0o700) == 0 {
        do throws(FileError) { try sync(folder + "/..") } catch {
          rmdir(folder)
          throw .file(error)
        }
      } else if errno != EEXIST && errno != EISDIR {
        throw .unusable(path: folder, reason: String(errno: errno))
      }
    }
  }

  /// Makes the name of the folder durable, unless that file is in it: whoever made the folder may have been killed before that.
  static func settle(_ path: String, before file: String) throws(StoreError) {
    guard access(path + "/" + file, F_OK) != 0 else { return }
    do throws(FileError) { try sync(path + "/..") } catch { throw .file(error) }
  }

  /// Makes an empty file that this user alone can read, where there is none.
  static func touch(_ path: String) throws(StoreError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unusable(path: path, reason: String(errno: errno)) }
    close(file)
  }

  /// Makes the names in the folder durable.
  ///
  /// SQLite does so for the folder that its files are in.
  private static func sync(_ path: String) throws(FileError) {
    do throws(FileError) {
      try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).syncNames()
    } catch {
      // One that can be written to, but not read, is taken as it is.
      guard error.code == EACCES else { throw error }
    }
  }
}
