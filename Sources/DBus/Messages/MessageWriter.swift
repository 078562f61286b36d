import Files
import Glibc

/// A writer of an outgoing message's arguments.
///
/// The writer does not use libdbus, which rewrites the signature of the message for each argument.
/// For each argument after the first, this takes 12,000 instructions, as many as the rest of a
/// reply.
///
/// Source: the D-Bus specification, "Marshaling".
public struct MessageWriter: ~Copyable {
  private var body: MessageBody

  init(continuing body: consuming MessageBody) { self.body = body }

  consuming func finish() -> MessageBody { body }

  /// Whether the bus would reject the message in its present state.
  var isTooLarge: Bool { body.isTooLarge }

  // MARK: Basic types

  /// Appends a number in its memory layout.
  mutating func number<Number: BitwiseCopyable>(_ number: Number) { body.bytes.append(number) }

  /// Appends a string; a U+0000, which the bus cannot carry, becomes U+FFFD.
  public mutating func append(_ text: String) {
    var text = text
    let isCarried = text.withUTF8 { utf8 in
      let isCarried = utf8.baseAddress.map { memchr($0, 0, utf8.count) == nil } ?? true
      if isCarried { body.bytes.append(text: utf8) }
      return isCarried
    }
    if !isCarried { append(String(carriedByBus: text)) }
  }

  /// Appends an array of strings of ASCII characters without U+0000, all of one length.
  ///
  /// For many strings, this takes a small part of the time of `append` and no memory for each string.
  ///
  /// - Parameters:
  ///   - elements: the elements.
  ///   - count: the length of each string.
  ///   - write: writes the string of an element.
  public mutating func texts<Element>(
    of elements: [Element], asciiCount count: Int,
    _ write: (Element, UnsafeMutableRawPointer) -> Void
  ) {
    body.bytes.reserve(elements.count * (count + 8) + 8)
    array(alignedTo: 4) { inner in
      for element in elements {
        inner.body.bytes.append(asciiCount: count) { write(element, $0) }
      }
    }
  }

  mutating func signature(_ signature: Signature) {
    body.noteSignature(of: signature.text.utf8.count)
    body.bytes.append(signature: signature.text)
  }

  /// Appends a descriptor, which stays open until the message is sent.
  mutating func descriptor(_ descriptor: FileDescriptor) {
    number(UInt32(body.descriptors.count))
    body.descriptors.append(descriptor)
  }

  // MARK: Containers

  /// Appends an array, whose elements `content` appends; `alignment` is the alignment of an
  /// element.
  public mutating func array(alignedTo alignment: Int, _ content: (inout MessageWriter) -> Void) {
    let length = body.bytes.count(alignedTo: 4)
    number(UInt32(0))
    body.bytes.align(to: alignment)
    let start = body.bytes.count
    content(&self)
    let count = body.bytes.count - start
    body.noteArray(of: count)
    body.bytes.replace(at: length, with: UInt32(truncatingIfNeeded: count))
  }

  /// Appends elements of fixed size at once, or nothing if they exceed the maximum size of an
  /// array.
  mutating func array<Element: BitwiseCopyable>(of elements: UnsafeBufferPointer<Element>) {
    let bytes = UnsafeRawBufferPointer(elements)
    body.noteArray(of: bytes.count)
    guard !body.isTooLarge else { return }
    number(UInt32(bytes.count))
    body.bytes.align(to: MemoryLayout<Element>.size)
    body.bytes.append(contentsOf: bytes)
  }

  /// Appends a dictionary, whose entries `content` appends.
  public mutating func entries(_ content: (inout MessageWriter) -> Void) {
    array(alignedTo: 8, content)
  }

  /// Appends an entry of a dictionary of variants by name.
  public mutating func entry<Value: BusValue>(_ name: String, _ value: Value) {
    structure { entry in
      entry.append(name)
      entry.variant(of: Value.signature) { value.write(to: &$0) }
    }
  }

  /// Appends a struct or an entry of a dictionary, whose members `content` appends.
  public mutating func structure(_ content: (inout MessageWriter) -> Void) {
    body.bytes.align(to: 8)
    content(&self)
  }

  /// Appends a variant of this type, whose value `content` appends.
  public mutating func variant(of type: Signature, _ content: (inout MessageWriter) -> Void) {
    signature(type)
    content(&self)
  }
}

extension String {
  /// Creates a copy of the text with U+FFFD for every U+0000.
  init(carriedByBus text: String) {
    self.init(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
  }
}
