import Foundation
import Testing

/// Repetitions of a test case.
struct Rounds {
  /// The number of repetitions of each case; nil disables the tests with other applications.
  static let number = ProcessInfo.processInfo.environment["DRAGBOARD_TEST_ROUNDS"].flatMap(Int.init)

  /// The directory for screenshots of the drags.
  private static let pictures = ProcessInfo.processInfo.environment["DRAGBOARD_TEST_PICTURES"]

  private let name: String
  private let desk: Desk

  /// Creates the repetitions of a case with this name.
  init(_ name: String, at desk: Desk) {
    (self.name, self.desk) = (name, desk)
  }

  /// Repeats the case, prints the number of successes, and fails if one repetition fails.
  ///
  /// - Parameter round: a drag and its expected result; gets a function that takes a screenshot in
  ///   the first repetition only.
  /// - Throws: an error if the results cannot be written.
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
        try desk.screen.perform([.release, .releaseKey("Shift_L"), .releaseKey("Control_L")])
      }
    }
    try Self.record("\(name): \(number - misses.count) of \(number)", misses)
    #expect(misses.isEmpty, "\(name)")
  }

  /// Records a case that failed outside of its repetitions, or, if `isAlways`, that succeeded.
  static func record(
    _ failure: (any Error)?, of name: String, isAlways: Bool = false
  ) throws {
    guard failure != nil || isAlways else { return }
    try record("\(name): \(failure == nil ? 1 : 0) of 1", failure.map { ["1: \($0)"] } ?? [])
  }

  /// Appends the result and the failures to the file of the results.
  private static func record(_ result: String, _ misses: [String]) throws {
    print(result)
    guard let folder = pictures else { return }
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

  /// Writes a file beside the results.
  static func store(_ text: String, as name: String) throws {
    guard let folder = pictures else { return }
    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }

  private func takePicture(of moment: String) throws {
    guard let folder = Self.pictures else { return }
    let words = "\(name)-\(moment)".map { $0.isLetter || $0.isNumber ? $0 : "-" }
    try desk.screen.picture(to: "\(folder)/\(String(words)).png")
  }
}

/// A step of a case that failed.
///
/// The page of the desktops shows only the words.
struct FailedStep: Error, CustomStringConvertible {
  let words: String
  let cause: any Error

  var description: String { "\(words) | \(cause)" }
}

/// Performs a step of a case.
///
/// - Parameters:
///   - problem: the problem if the step fails, as a sentence for readers of the page.
///   - body: the step.
/// - Returns: the result of the step.
/// - Throws: `FailedStep` if the step fails; if a part of it is a step, that one's.
@discardableResult
func step<Result>(_ problem: String, _ body: () async throws -> Result) async throws -> Result {
  do { return try await body() } catch let failure as FailedStep {
    throw failure
  } catch {
    throw FailedStep(words: problem, cause: error)
  }
}
