import DBus
import DragboardInterface
import Foundation

/// A member of the contract that can be called, and its arguments.
struct FuzzMember {
  /// An argument: its name, which suggests sensible values, and its signature.
  struct Argument {
    let name: String
    let signature: String
  }

  let interface: String
  let name: String
  let arguments: [Argument]

  /// Returns the methods of the contract that the daemon serves, and the standard methods.
  static func all() throws -> [FuzzMember] {
    let files = ["Manager", "Board", "DragSource", "DropTarget", "Views", "DragSession", "View"]
    return try files.flatMap { try members(in: $0) } + standard
  }

  private static let standard = [
    FuzzMember("Peer", "Ping", []), FuzzMember("Peer", "GetMachineId", []),
    FuzzMember("Introspectable", "Introspect", []),
    FuzzMember("ObjectManager", "GetManagedObjects", []),
    FuzzMember("Properties", "Get", [("interface", "s"), ("property", "s")]),
    FuzzMember("Properties", "GetAll", [("interface", "s")]),
    FuzzMember("Properties", "Set", [("interface", "s"), ("property", "s"), ("value", "v")]),
  ]

  private init(_ interface: String, _ name: String, _ arguments: [(String, String)]) {
    self.interface = "org.freedesktop.DBus.\(interface)"
    self.name = name
    self.arguments = arguments.map { Argument(name: $0.0, signature: $0.1) }
  }

  private init(interface: String, name: String, arguments: [Argument]) {
    (self.interface, self.name, self.arguments) = (interface, name, arguments)
  }

  /// Returns the methods in a file of the contract, from lines such as `…Board/method GetRows/1 in
  /// section: u`.
  private static func members(in file: String) throws -> [FuzzMember] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/DragboardInterface/Interfaces")
    let text = try String(
      contentsOf: folder.appending(path: "org.dragboard.Dragboard1.\(file).xml"), encoding: .utf8)
    var members: [String: [Int: Argument]] = [:]
    for line in try InterfaceDocument(text).lines {
      let parts = line.split(separator: "/")
      guard parts.count > 1, parts[1].hasPrefix("method ") else { continue }
      let method = "\(parts[0]) \(parts[1].dropFirst("method ".count))"
      members[method, default: [:]].merge(parts.count > 2 ? argument(parts[2]) : [:]) { $1 }
    }
    return members.sorted { $0.key < $1.key }.map { method, arguments in
      let words = method.split(separator: " ").map(String.init)
      return FuzzMember(
        interface: words[0], name: words[1],
        arguments: arguments.sorted { $0.key < $1.key }.map(\.value))
    }
  }

  private static func argument(_ text: Substring) -> [Int: Argument] {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 4, words[1] == "in", let number = Int(words[0]) else { return [:] }
    return [number: Argument(name: String(words[2].dropLast()), signature: words[3])]
  }
}
