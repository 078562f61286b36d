/// One thing that a loader does when it is called.
enum LoadStep: Sendable {
  /// Writes all of the bytes, unless the pipe loses its reader.
  case write([UInt8])
  /// Closes the pipe.
  case close
  /// Replies without an error.
  case reply
  /// Replies with an error.
  case refuse(String)
  /// Waits until the test opens what is called so.
  case wait(String)
  /// Waits until the pipe has lost its reader.
  case waitForBrokenPipe
  /// Writes a byte now and then, until nobody reads the pipe any more.
  case trickle
  /// Leaves the bus, as a process that dies does.
  case leave
}

/// The behaviors of loaders.
extension [LoadStep] {
  /// Everything at once, as it should be.
  static func gives(_ bytes: [UInt8]) -> Self { [.write(bytes), .close, .reply] }

  /// A text at once.
  static func gives(_ text: String) -> Self { .gives([UInt8](text.utf8)) }

  /// A text, when the test opens that.
  static func gives(_ text: String, after gate: String) -> Self { [.wait(gate)] + .gives(text) }

  /// A piece, and each of the others when the test opens its number.
  static func slow(_ pieces: [[UInt8]]) -> Self {
    var steps: [LoadStep] = []
    for (number, piece) in pieces.enumerated() {
      if number > 0 { steps.append(.wait("\(number)")) }
      steps.append(.write(piece))
    }
    return steps + [.close, .reply]
  }

  /// An error, though a byte has come.
  static func refuses(_ message: String) -> Self { [.write([1]), .refuse(message)] }

  /// Neither a byte, nor the end, nor a reply.
  static var silent: Self { [.waitForBrokenPipe] }
}
