/// A step of a loader's behavior.
enum LoadStep: Sendable {
  /// Writes all bytes, or as many as the pipe accepts until its reader closes it.
  case write([UInt8])
  /// Closes the pipe.
  case close
  /// Replies without an error.
  case reply
  /// Replies with an error.
  case refuse(String)
  /// Waits until the test opens the gate with this name.
  case wait(String)
  /// Waits until the reader closes the pipe.
  case waitForBrokenPipe
  /// Writes a byte from time to time until the reader closes the pipe.
  case trickle
  /// Leaves the bus, as a process does that exits.
  case leave
}

/// The behaviors of loaders.
extension [LoadStep] {
  /// Delivers everything at once, without an error.
  static func gives(_ bytes: [UInt8]) -> Self { [.write(bytes), .close, .reply] }

  /// Delivers a text at once.
  static func gives(_ text: String) -> Self { .gives([UInt8](text.utf8)) }

  /// Delivers a text when the test opens a gate.
  static func gives(_ text: String, after gate: String) -> Self { [.wait(gate)] + .gives(text) }

  /// Delivers the first piece at once, and each of the others when the test opens the gate with its
  /// number.
  static func slow(_ pieces: [[UInt8]]) -> Self {
    var steps: [LoadStep] = []
    for (number, piece) in pieces.enumerated() {
      if number > 0 { steps.append(.wait("\(number)")) }
      steps.append(.write(piece))
    }
    return steps + [.close, .reply]
  }

  /// Replies with an error although a byte has been written.
  static func refuses(_ message: String) -> Self { [.write([1]), .refuse(message)] }

  /// Sends neither a byte, nor an end, nor a reply.
  static var silent: Self { [.waitForBrokenPipe] }
}
