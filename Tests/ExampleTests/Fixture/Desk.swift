import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// A daemon on a private bus for the examples, and a client for the other side of their drags.
final class Desk {
  let daemon: Daemon
  let client: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
  }

  /// Returns the path of a file that is removed with the desk.
  func path(_ name: String) -> String { daemon.bus.home.appending(path: name).path }

  /// Writes a file of `byteCount` bytes, which differ for each seed.
  func write(_ byteCount: Int, seed: UInt64, to name: String) throws -> Data {
    var generator = SplitMix64(seed: seed)
    var words: [UInt64] = []
    words.reserveCapacity(byteCount / 8)
    for _ in 0..<byteCount / 8 { words.append(generator.next()) }
    let data = words.withUnsafeBytes { Data($0) }
    try data.write(to: URL(fileURLWithPath: path(name)))
    return data
  }

  /// Returns the content of a file.
  func data(of name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  /// Starts a program on the desk's bus.
  func start(_ program: String, _ arguments: String...) throws -> ChildProcess {
    try ChildProcess(program, arguments, environment: daemon.bus.environment)
  }

  /// Starts an example that accepts the latest drag and writes the bytes to a file.
  func accept(_ type: String, in language: Language, to name: String) throws -> ChildProcess {
    try start("sh", "-c", #"exec "$1" "$2" > "$0""#, path(name), language.program("accept"), type)
  }

  /// Starts an example that promises a file, and waits until its drag has begun.
  func promise(_ name: String, _ type: String, in language: Language) throws -> RunningPromise {
    let file = path(name)
    let process = try start(language.program("promise"), file, type)
    let begin = "dragging \(file) as "
    let line = process.nextLine() ?? ""
    try #require(line.hasPrefix(begin), "\(line) \(process.text(of: .errors))")
    return RunningPromise(
      process: process, file: file, session: try ObjectPath(String(line.dropFirst(begin.count))))
  }
}

/// An example that has promised a file and is waiting for the drop.
struct RunningPromise {
  let process: ChildProcess
  /// The promised file.
  let file: String
  /// The session of the example's drag.
  let session: ObjectPath

  /// Waits for the end of the example; returns the lines that it printed after its drag began.
  func lines() -> [String] {
    process.text(of: .output).split(separator: "\n").dropFirst().map(String.init)
  }
}
