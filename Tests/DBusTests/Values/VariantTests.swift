import DBus
import Files
import TestSupport
import Testing

@Suite("Variants through a bus")
struct VariantTests {
  @Test(
    "A variant of any type is returned with its type",
    arguments: [
      .byte(1), .boolean(false), .int16(-1), .uint16(1), .int32(-1), .uint32(1), .int64(-1),
      .uint64(1), .double(0.5), .string("ä"), .objectPath("/a"), .signature("a{sv}"),
      .variant(.variant(.string("nested"))),
      .array(of: "s", []), .array(of: "i", [.int32(1), .int32(2)]),
      .array(of: "ay", [.array(of: "y", []), .array(of: "y", [.byte(3)])]),
      .array(of: "(sv)", [.structure([.string(""), .variant(.byte(0))])]),
      .dictionary(key: "s", value: "v", []),
      .dictionary(
        key: "i", value: "a{sv}",
        [
          .init(
            .int32(4), .dictionary(key: "s", value: "v", [.init(.string("k"), .variant(.byte(1)))]))
        ]
      ),
      .array(of: "a{ss}", [.dictionary(key: "s", value: "s", [])]),
      .structure([.int32(1), .structure([.string("in")]), .array(of: "v", [])]),
    ] as [Value])
  func everyType(value: Value) async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    let answer = try await client.call(Echo.variant, Variant(value))
    #expect(answer.value == value)
    #expect(answer.value.signature == value.signature)
  }

  @Test("A variant of a file descriptor contains the descriptor")
  func descriptor() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    let end = try Pipe().read
    let answer = try await client.call(Echo.variant, Variant(.fileDescriptor(end)))
    guard case .fileDescriptor(let file) = answer.value else {
      Issue.record("not a descriptor: \(answer.value)")
      return
    }
    #expect(file.number != end.number)
  }

  @Test("Random values of up to five levels are returned unchanged")
  func random() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    var values = RandomValues(seed: 2)
    for _ in 0..<1_000 {
      let value = values.next()
      #expect(try await client.call(Echo.variant, Variant(value)).value == value)
    }
  }

  @Test("A value with too many levels for the protocol never arrives")
  func tooDeep() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    let value = (0..<80).reduce(Value.byte(1)) { inner, _ in .variant(inner) }
    let refusal = await #expect(throws: DBusError.self) {
      try await client.call(Echo.variant, Variant(value))
    }
    #expect(refusal?.name == .disconnected)
    let other = try bus.client()
    #expect(try await other.call(Echo.byte, 1) == 1)
  }
}

/// A source of values of random types.
private struct RandomValues {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  mutating func next() -> Value { value(of: type(depth: 0)) }

  /// Returns a random type of limited depth.
  private mutating func type(depth: Int) -> Kind {
    let kinds = depth < 5 ? 10 : 6
    switch Int.random(in: 0..<kinds, using: &generator) {
    case 6: return .variant
    case 7: return .array(type(depth: depth + 1))
    case 8: return .dictionary(type(depth: depth + 1))
    case 9:
      return .structure(
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in type(depth: depth + 1) })
    case let number: return .basic(number)
    }
  }

  private indirect enum Kind {
    case basic(Int)
    case variant
    case array(Kind)
    case dictionary(Kind)
    case structure([Kind])

    var signature: String {
      switch self {
      case .basic(let number): ["y", "b", "x", "s", "o", "d"][number]
      case .variant: "v"
      case .array(let element): "a" + element.signature
      case .dictionary(let value): "a{s" + value.signature + "}"
      case .structure(let members): "(" + members.map(\.signature).joined() + ")"
      }
    }
  }

  private mutating func value(of kind: Kind) -> Value {
    let count = Int.random(in: 0...3, using: &generator)
    switch kind {
    case .basic(let number): return basic(number)
    case .variant: return .variant(value(of: type(depth: 4)))
    case .array(let element):
      return .array(
        of: Signature(unchecked: element.signature), (0..<count).map { _ in value(of: element) })
    case .dictionary(let content):
      return .dictionary(
        key: "s", value: Signature(unchecked: content.signature),
        (0..<count).map { .init(.string("key \($0)"), value(of: content)) })
    case .structure(let members): return .structure(members.map { value(of: $0) })
    }
  }

  private mutating func basic(_ number: Int) -> Value {
    let bits = generator.next()
    return switch number {
    case 0: .byte(UInt8(truncatingIfNeeded: bits))
    case 1: .boolean(bits & 1 == 1)
    case 2: .int64(Int64(bitPattern: bits))
    case 3: .string(String(repeating: "ü", count: Int(bits % 9)))
    case 4: .objectPath(ObjectPath(unchecked: "/a\(bits)"))
    default: .double(Double(bits))
    }
  }
}
