import Files
import Foundation
import TestSupport
import Testing

@Suite("The names in a directory")
struct DirectoryNamesTests {
  @Test("All names are read, however often, and a file is not a directory")
  func names() throws {
    let folder = try TemporaryFolder()
    let expected = (0..<300).map { "\($0)-" + String(repeating: "n", count: $0 % 240) }
    for name in expected {
      #expect(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: nil))
    }
    let directory = try FileDescriptor(opening: folder.path, O_RDONLY | O_DIRECTORY)
    for _ in 0..<2 { #expect(Set(try directory.names()) == Set(expected)) }
    let file = try FileDescriptor(opening: folder.path + "/0-", O_RDONLY)
    #expect(throws: FileError(path: folder.path + "/0-", code: ENOTDIR)) { try file.names() }
  }
}
