import Foundation
import Testing

/// A case that is tried several times in a row.
struct Rounds {
  /// How often each case is tried; nil where the applications are not to be tested.
  static let number = ProcessInfo.processInfo.environment["SHELF_TEST_ROUNDS"].flatMap(Int.init)

  /// Where pictures of the drags go.
  private static let pictures = ProcessInfo.processInfo.environment["SHELF_TEST_PICTURES"]

  private let name: String
  private let desk: Desk

  /// A case of that name, at a desk.
  init(_ name: String, at desk: Desk) {
    (self.name, self.desk) = (name, desk)
  }

  /// Runs several rounds, prints the number of successes, and fails if one of them failed.
  ///
  /// - Parameter round: a drag and its expected result; it gets a function that takes a picture in
  /// the first round only.
  /// - Throws: the reason if the results cannot be written.
  func run(_ round: (_ picture: (String) throws -> Void) async throws -> Void) async throws {
    let number = try #require(Self.number)
    var misses: [String] = []
    for index in 1...number {
      do {
        try await round { moment in if index == 1 { try takePicture(of: moment) } }
        if index == 1 { try takePicture(of: "after") }
      } catch {
        try takePicture(of: "miss-\(index)")
        misses.append("\(index): \(error)")
        try desk.screen.perform([.release, .letGo("Shift_L"), .letGo("Control_L")])
      }
    }
    try tell("\(name): \(number - misses.count) of \(number)", misses)
    #expect(misses.isEmpty, "\(name)")
  }

  /// Adds a line to the results, and one for each miss.
  private func tell(_ result: String, _ misses: [String]) throws {
    print(result)
    guard let folder = Self.pictures else { return }
    let path = "\(folder)/results.txt"
    if !FileManager.default.fileExists(atPath: path) {
      try "".write(toFile: path, atomically: true, encoding: .utf8)
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    let lines = [result] + misses.map { "  missed \($0)" }
    try file.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    try file.close()
  }

  private func takePicture(of moment: String) throws {
    guard let folder = Self.pictures else { return }
    let words = "\(name)-\(moment)".map { $0.isLetter || $0.isNumber ? $0 : "-" }
    try desk.screen.picture(to: "\(folder)/\(String(words)).png")
  }
}
