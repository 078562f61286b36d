import Testing

/// Expects two byte strings to be equal, and reports the first difference.
///
/// `#expect` would search for all differences, which takes long.
func expect(
  _ bytes: [UInt8], are wanted: [UInt8], _ words: String = "",
  at location: SourceLocation = #_sourceLocation
) {
  guard bytes != wanted else { return }
  let place = zip(bytes, wanted).enumerated().first { $1.0 != $1.1 }?.offset
  Issue.record(
    "\(words) \(bytes.count) bytes, not \(wanted.count), differ from \(place ?? min(bytes.count, wanted.count)) on",
    sourceLocation: location)
}

/// Expects a long text to equal `wanted`.
func expect(_ text: String, is wanted: String, at location: SourceLocation = #_sourceLocation) {
  expect(Array(text.utf8), are: Array(wanted.utf8), at: location)
}

/// Expects long texts to equal `wanted`, and names the texts that differ.
func expect(
  _ texts: [String], are wanted: [String], at location: SourceLocation = #_sourceLocation
) {
  #expect(texts.count == wanted.count, sourceLocation: location)
  for (number, (text, wanted)) in zip(texts, wanted).enumerated() {
    expect(Array(text.utf8), are: Array(wanted.utf8), "text \(number):", at: location)
  }
}
