import Foundation
import TestSupport
import Testing

/// A desktop with a window manager, a screen reader, and a folder whose programs are found first.
struct ProgramDesk {
  let desk: Desk
  let reader: ScreenReader
  let manager: TestProgram
  /// The folder of programs, which is empty.
  let folder: String

  init() async throws {
    desk = try await Desk()
    manager = try desk.start("openbox", "--sm-disable")
    reader = try ScreenReader(at: desk)
    folder = "\(try #require(desk.environment["HOME"]))/programs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Opens the shelf.
  func open(isFirst: Bool = false, with variables: [String: String] = [:]) async throws {
    let path = "\(folder):\(desk.environment["PATH"] ?? "")"
    let all = reader.variables.merging(variables) { $1 }.merging(["PATH": path]) { $1 }
    try await desk.openShelf(isFirst: isFirst, with: all)
  }
}
