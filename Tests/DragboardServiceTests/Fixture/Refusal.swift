import DBus
import DragboardInterface
import TestSupport
import Testing

/// Expects `body` to fail with an error of this name, whose message contains each of `words`.
func expect(
  _ name: ErrorName, naming words: String..., at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: DBusError.self, sourceLocation: location) { try body() }
  guard let error else { return }
  #expect(error.name == name, "\(error)", sourceLocation: location)
  for word in words {
    #expect(error.message.contains(word), "\(error)", sourceLocation: location)
  }
}
