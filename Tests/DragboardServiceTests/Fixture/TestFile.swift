import CLinux
import DBus
import Files
import Foundation
import Testing

/// The constants of fcntl(2) for the seals of a memfd, which the Glibc module lacks.
enum Seal {
  static let seal: Int32 = 1
  static let shrink: Int32 = 2
  static let grow: Int32 = 4
  static let write: Int32 = 8
  static let add: Int32 = 1_033
  static let get: Int32 = 1_034
}

/// Files for tests to pass, and checks of files that tests receive.
enum TestFile {
  /// Returns a memfd with these bytes and seals.
  static func memory(_ bytes: [UInt8], seals: Int32 = 0) throws -> FileDescriptor {
    let file = FileDescriptor(adopting: clinux_memfd_create("test"))
    try #require(file.number >= 0)
    try write(bytes, to: file)
    try #require(fcntl(file.number, Seal.add, seals) == 0)
    return file
  }

  /// Returns a sealed memfd with these bytes.
  static func sealed(_ bytes: [UInt8]) throws -> FileDescriptor {
    try memory(bytes, seals: Seal.write | Seal.shrink | Seal.grow | Seal.seal)
  }

  /// Returns a sealed memfd of `count` zeros.
  static func sealed(zeros count: Int) throws -> FileDescriptor {
    let file = FileDescriptor(adopting: clinux_memfd_create("test"))
    try #require(ftruncate(file.number, off_t(count)) == 0)
    try #require(clinux_seal(file.number) == 0)
    return file
  }

  /// Returns a regular file with these bytes, open for reading and writing.
  ///
  /// The file is removed with the home of the bus.
  static func regular(_ bytes: [UInt8], in folder: URL) throws -> FileDescriptor {
    let path = folder.appending(path: UUID().uuidString).path
    let file = FileDescriptor(adopting: open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    try #require(file.number >= 0)
    try write(bytes, to: file)
    return file
  }

  /// Opens the file again, with other flags.
  static func reopened(_ file: FileDescriptor, _ flags: Int32) throws -> FileDescriptor {
    let path = "/proc/self/fd/\(file.number)"
    let again = FileDescriptor(adopting: open(path, flags | O_CLOEXEC))
    try #require(again.number >= 0)
    return again
  }

  /// Writes bytes at a position without moving the offset.
  static func write(_ bytes: [UInt8], to file: FileDescriptor, at offset: Int = 0) throws {
    try #require(pwrite(file.number, bytes, bytes.count, off_t(offset)) == bytes.count)
  }

  /// Reads everything from the offset on; this moves the offset.
  static func rest(of file: FileDescriptor) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = read(file.number, &buffer, buffer.count), count > 0 {
      all += buffer[..<count]
    }
    return all
  }

  /// Returns the offset of the next read.
  static func offset(of file: FileDescriptor) -> Int {
    Int(lseek(file.number, 0, SEEK_CUR))
  }

  /// Returns the identity of a file and its size.
  static func identity(of file: FileDescriptor) -> [UInt64] {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return [] }
    return [UInt64(status.st_dev), UInt64(status.st_ino), UInt64(status.st_size)]
  }

  /// Returns whether the owner of the descriptor can change, append or remove a byte.
  static func isChangeable(_ file: FileDescriptor) -> Bool {
    let size = Int(identity(of: file).last ?? 0)
    return pwrite(file.number, [1], 1, 0) >= 0 || pwrite(file.number, [1], 1, off_t(size)) >= 0
      || size > 0 && ftruncate(file.number, off_t(size - 1)) == 0
      || ftruncate(file.number, off_t(size + 1)) == 0
  }
}

extension [UInt8] {
  /// Returns `count` bytes that are not UTF-8 and do not repeat at any power of two.
  static func sample(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
    let block = (0..<251).map { UInt8($0) &+ seed }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count { bytes += block }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
