import DBus
import DragboardInterface
import TestSupport
import Testing

/// Expects `body` to fail with an error of this name, whose message has the form of the
/// specification and contains each of `words`.
func expect(
  _ name: ErrorName, naming words: String..., at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: DBusError.self, sourceLocation: location) { try body() }
  guard let error else { return }
  #expect(error.name == name, "\(error)", sourceLocation: location)
  #expect(error.hasClearForm, "\(error)", sourceLocation: location)
  for word in words {
    #expect(error.message.contains(word), "\(error)", sourceLocation: location)
  }
}

extension DBusError {
  /// Whether the message has the form of section 13.1: a subject, a colon, the problem, and for a
  /// wrong argument the expected value in parentheses.
  var hasClearForm: Bool {
    let parts = message.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return false }
    guard name == .invalidArgs else { return true }
    return message.hasSuffix(")") && parts[1].contains(" (")
  }
}
