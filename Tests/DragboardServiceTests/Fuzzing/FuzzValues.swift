import CLinux
import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport

/// A source of random arguments.
///
/// Most of them are sensible, because the source learns from earlier answers; some are not.
struct FuzzValues {
  private var generator: SplitMix64
  private var items = ["00000000-0000-8000-8000-000000000000", "", "no id"]
  private var paths: [String: [ObjectPath]] = [
    "board": [BusClient.board], "session": ["/org/dragboard/Dragboard1/session/1"],
    "view": ["/org/dragboard/Dragboard1/view/1"],
  ]
  private static let remembered = 64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Returns true in one of `count` calls, on average.
  mutating func once(in count: Int) -> Bool { number(below: count) == 0 }

  mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// Remembers the ids of rows and the objects in an answer.
  mutating func learn(_ answer: Message) {
    if let item = try? answer.arguments(as: String.self) { remember(item) }
    if let items = try? answer.arguments(as: [String].self) {
      items.prefix(8).forEach { remember($0) }
    }
    if let path = try? answer.arguments(as: ObjectPath.self) { remember(path) }
  }

  private mutating func remember(_ item: String) {
    guard item.utf8.count == 36 else { return }
    items.append(item)
    if items.count > Self.remembered { items.remove(at: number(below: items.count)) }
  }

  private mutating func remember(_ path: ObjectPath) {
    guard let kind = path.text.split(separator: "/").dropLast().last.map(String.init) else {
      return
    }
    var known = paths[kind, default: []] + [path]
    if known.count > Self.remembered { known.remove(at: number(below: known.count)) }
    paths[kind] = known
  }

  /// Returns an object that may have this interface.
  mutating func path(serving interface: String) -> ObjectPath {
    let kinds = ["board", "session", "view"]
    if interface.hasSuffix(".Manager") { return Dragboard.root }
    let kind =
      switch interface.split(separator: ".").last {
      case "DragSession": "session"
      case "View": "view"
      case "Board", "DragSource", "DropTarget", "Views": "board"
      default: one(of: kinds)
      }
    return one(of: paths[kind] ?? [Dragboard.root])
  }

  /// Returns an object of any kind, or a path without an object.
  mutating func anyPath() -> ObjectPath {
    once(in: 4)
      ? one(of: ["/", Dragboard.root, "/org/dragboard/Dragboard1/nowhere", "/loader/1"])
      : one(of: paths.values.flatMap { $0 })
  }

  /// Returns a value for an argument.
  mutating func value(of argument: FuzzMember.Argument) -> Value {
    once(in: 40) ? anything(depth: 0) : value(named: argument.name, argument.signature)
  }

  private mutating func value(named name: String, _ signature: String) -> Value {
    switch signature {
    case "s": .string(text(named: name))
    case "o": .objectPath(name == "loader" ? "/loader/1" : anyPath())
    case "u": .uint32(UInt32(truncatingIfNeeded: position()))
    case "i": .int32(Int32(truncatingIfNeeded: position() - 1))
    case "t": .uint64(once(in: 3) ? 0 : generator.next() >> UInt64(number(below: 64)))
    case "b": .boolean(once(in: 2))
    case "h": .fileDescriptor(descriptor())
    case "v": .variant(once(in: 2) ? .boolean(once(in: 2)) : .uint32(UInt32(number(below: 2_000))))
    case "ay": .array(of: "y", bytes().map { .byte($0) })
    case "as": .array(of: "s", (0..<number(below: 5)).map { _ in .string(text(named: name)) })
    case "a(sas)":
      .array(of: "(sas)", (0..<number(below: 3)).map { _ in section() })
    default: anything(depth: 0)
    }
  }

  private mutating func position() -> Int {
    once(in: 20) ? Int(truncatingIfNeeded: generator.next()) : number(below: 6)
  }

  private mutating func section() -> Value {
    .structure([
      .string(text(named: "name")),
      .array(of: "s", (0..<number(below: 4)).map { _ in .string(one(of: items)) }),
    ])
  }

  private mutating func bytes() -> [UInt8] {
    let count = once(in: 200) ? 100_000 : number(below: 300)
    return (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) & 0x7F }
  }

  private mutating func text(named name: String) -> String {
    if once(in: 30) { return oddText() }
    return switch name {
    case "item", "items": one(of: items)
    case "application": one(of: ["", "org.a.x", "org.a.y", "org.b", "c", ":1.1", "not an id"])
    case "type", "types":
      one(of: [
        "text/plain;charset=utf-8", "text/plain", "text/html", "image/png", "UTF8_STRING", "*/*",
        "text/*", "public.data", "application/x-a;b=\"c d\"", "none", "",
      ])
    case "visibility": one(of: ["all", "team", "group", "own-process", "", "nobody"])
    case "operation": one(of: ["copy", "move", "cancel", ""])
    case "name", "new_name": one(of: ["default", "main", "a", "b", "c d", "", "é", "e\u{301}"])
    case "interface":
      "org.dragboard.Dragboard1." + one(of: ["Board", "DragSession", "Manager", "View", "None"])
    case "property":
      one(of: [
        "Name", "Revision", "Count", "Sections", "AcceptedTypes", "MaxRows", "MovesMultipleRows",
        "RetainRows", "RetainSeconds", "MovesDuplicates", "AllowsMove", "RestrictedToApplication",
        "Machine",
        "Progress", "Selection", "Boards", "None",
        "AllowsMultipleSelection", "Version",
      ])
    default: one(of: ["a word", "another word and more", "", oddText()])
    }
  }

  private mutating func oddText() -> String {
    one(of: [
      "\u{FFFE}", "line\nline\r\nline", "\u{202E}rtl", "*", "\"", "a* OR b", "NEAR(", "🧵🪡",
      String(repeating: "long ", count: number(below: 30_000)), "\u{1}", "/", "../..",
    ])
  }

  private mutating func descriptor() -> FileDescriptor {
    let number =
      switch number(below: 5) {
      case 0: open("/dev/null", O_RDONLY | O_CLOEXEC)
      case 1: open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      default: memory()
      }
    return FileDescriptor(adopting: number)
  }

  private mutating func memory() -> Int32 {
    let file = clinux_memfd_create("fuzz")
    let size = once(in: 10) ? 200_000 : number(below: 2_000)
    ftruncate(file, off_t(size))
    if once(in: 2) { _ = clinux_seal(file) }
    return file
  }

  /// Returns a value of any type that a message can contain.
  mutating func anything(depth: Int) -> Value {
    switch number(below: depth > 3 ? 8 : 12) {
    case 0: .byte(UInt8(truncatingIfNeeded: generator.next()))
    case 1: .boolean(once(in: 2))
    case 2: .int64(Int64(bitPattern: generator.next()))
    case 3: .double(Double(bitPattern: generator.next()))
    case 4: .string(oddText())
    case 5: .objectPath(anyPath())
    case 6: .signature("a{sv}")
    case 7: .uint32(UInt32(truncatingIfNeeded: generator.next()))
    case 8: .variant(anything(depth: depth + 1))
    case 9: .structure([anything(depth: depth + 1), anything(depth: depth + 1)])
    case 10:
      .array(of: "v", (0..<number(below: 3)).map { _ in .variant(anything(depth: depth + 1)) })
    default: .dictionary(key: "s", value: "i", [.init(.string(oddText()), .int32(-1))])
    }
  }
}
