import DragboardClient
import Foundation
import TestSupport
import Testing

@testable import dragboard

@Suite("The types of files by the desktop's MIME database")
struct TypeDatabaseTests {
  private func database(_ files: String...) throws -> TypeDatabase {
    let folder = try TestSupport.TemporaryFolder()
    var directories: [String] = []
    for (number, text) in files.enumerated() {
      let directory = URL(fileURLWithPath: folder.path).appending(path: "\(number)")
      let mime = directory.appending(path: "mime")
      try FileManager.default.createDirectory(at: mime, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: mime.appending(path: "globs2"))
      directories.append(directory.path)
    }
    return withExtendedLifetime(folder) { TypeDatabase(directories: directories + ["/missing"]) }
  }

  @Test("Literal names, the longest extension, upper case, weights and wildcards decide")
  func precedence() throws {
    let types = try database(
      """
      # comment
      50:text/x-makefile:makefile
      50:application/gzip:*.gz
      50:application/x-compressed-tar:*.tar.gz
      50:application/schema+json:*.json
      50:application/json:*.json
      50:text/x-csrc:*.c
      50:text/x-c++src:*.C:cs
      60:text/x-python:*.py
      40:text/x-other:*.py
      50:text/x-readme:readme*
      80:text/x-readme-first:README.[0-9]
      nonsense
      50:broken

      """)
    for (name, type) in [
      ("Makefile", "text/x-makefile"), ("a.gz", "application/gzip"),
      ("a.b.tar.gz", "application/x-compressed-tar"), ("a.c", "text/x-csrc"),
      ("a.json", "application/json"),
      ("a.C", "text/x-c++src"), ("a.PY", "text/x-python"), ("README", "text/x-readme"),
      ("readme.1", "text/x-readme-first"), ("a.unknown", nil), ("", nil), ("...", nil),
    ] as [(String, String?)] {
      #expect(types.type(ofName: name)?.rawValue == type, "\(name)")
    }
    #expect(types.ending(of: "application/x-compressed-tar") == ".tar.gz")
    #expect(types.ending(of: "text/x-makefile") == nil)
  }

  @Test("The first directory has precedence, and can remove the patterns of the others")
  func directories() throws {
    let types = try database(
      "50:a/mine:*.x\n0:a/gone:__NOGLOBS__\n50:a/gone:*.z\n",
      "50:a/yours:*.x\n50:a/kept:*.w\n50:a/gone:*.y\n")
    #expect(types.type(ofName: "a.x") == "a/mine")
    #expect(types.type(ofName: "a.w") == "a/kept")
    #expect(types.type(ofName: "a.y") == nil)
    #expect(types.type(ofName: "a.z") == "a/gone")
  }

  @Test("Without a database, frequent types are known")
  func missing() throws {
    #expect(TypeDatabase(directories: ["/missing"]).isEmpty)
    #expect(TypeDatabase(directories: ["/missing"]).type(ofName: "a.png") == nil)
  }

  @Test("Bytes are UTF-8, ISO 8859-1 or no text, however they are divided into chunks")
  func encodings() {
    for (bytes, encoding) in [
      (Array("".utf8), .utf8), (Array("a\tb\r\n".utf8), .utf8), (Array("é€😀".utf8), .utf8),
      ([0x63, 0xE9], .latin1), ([0xE9, 0x0A], .latin1), ([0x61, 0x00], .binary),
      ([0x61, 0x93, 0x62], .binary), ([0xE2, 0x82], .binary), ([0x7F], .binary),
      ([0xC3], .latin1), (Array("é".utf8) + [0xE9], .latin1),
    ] as [([UInt8], TextEncoding)] {
      for size in 1...4 {
        var detector = TextEncoding.Detector()
        for start in stride(from: 0, to: bytes.count, by: size) {
          bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { detector.take($0) }
        }
        #expect(detector.end() == encoding, "\(bytes), \(size)")
      }
    }
  }
}
