import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The contract")
struct ContractTests {
  /// Members of the contract that a later release serves: until then they are absent, not stubs.
  private static let later = [
    "RegisterFile", "RegisterPromise", "InsertFile", "GetFile", "Accept", "LoadText", "LoadData",
    "LoadFile", "Finish", "ApplySnapshot", "ApplyOrder", "GetChanges", "Undo", "Redo", "Search",
  ]

  /// An object, and the contract's files that say what it serves.
  enum Served: String, CaseIterable {
    case root, board, session

    var files: [String] {
      switch self {
      case .root: ["Manager"]
      case .board: ["Board", "DragSource", "DropTarget"]
      case .session: ["DragSession"]
      }
    }

    func path(_ client: BusClient) throws(DBusError) -> ObjectPath {
      switch self {
      case .root: Dragboard.root
      case .board: BusClient.board
      case .session: try client.beginDrag()
      }
    }
  }

  @Test(
    "An object serves what the contract says, names, types and annotations alike, and nothing else",
    arguments: Served.allCases)
  func agreement(_ object: Served) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let served = try document(of: object.path(client), client)
    let own = served.lines.filter { $0.hasPrefix("org.dragboard.") }
    var promised: Set<String> = []
    for file in object.files { promised.formUnion(try contract(file)) }
    #expect(own.subtracting(promised).sorted() == [], "served, but not in the contract")
    #expect(promised.subtracting(own).sorted() == [], "in the contract, but not served")
    #expect(!own.isEmpty)
  }

  @Test("Members of a later release are in the contract and are not served", arguments: later)
  func absence(_ member: String) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    for object in [Served.board, .session] {
      let path = try object.path(client)
      #expect(try document(of: path, client).lines(of: member) == [])
      expect(.unknownMethod, naming: member) {
        try client.wait(for: .call(MemberName(member), of: nil, at: path, to: Dragboard.busName))
      }
    }
    let files = Served.allCases.flatMap(\.files)
    #expect(try files.contains { try !InterfaceDocument(text(of: $0)).lines(of: member).isEmpty })
  }

  @Test("Views are of a later release: no object has the interface")
  func views() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    for object in Served.allCases {
      let served = try document(of: object.path(client), client).interfaces
      #expect(served.isDisjoint(with: [interface("View"), interface("Views")]))
    }
    expect(.unknownInterface, naming: "Views") {
      try client.wait(
        for: .call(
          "Open", of: InterfaceName(interface("Views")), at: BusClient.board, to: Dragboard.busName)
      )
    }
  }

  @Test("Every object has the standard interfaces, and the root tells of objects besides")
  func standardInterfaces() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let standard = [
      "org.freedesktop.DBus.Peer", "org.freedesktop.DBus.Introspectable",
      "org.freedesktop.DBus.Properties",
    ]
    for object in Served.allCases {
      let path = try object.path(client)
      let interfaces = try document(of: path, client).interfaces
      #expect(interfaces.isSuperset(of: standard))
      let managesObjects = interfaces.contains("org.freedesktop.DBus.ObjectManager")
      #expect(managesObjects == (object == .root))
    }
  }

  private func document(of path: ObjectPath, _ client: BusClient) throws -> InterfaceDocument {
    try InterfaceDocument(client.call(IntrospectableInterface.introspect, at: path))
  }

  private func interface(_ name: String) -> String { "\(Dragboard.busName).\(name)" }

  /// What the contract says of an interface, without what is of a later release.
  private func contract(_ name: String) throws -> Set<String> {
    let document = try InterfaceDocument(text(of: name))
    return Self.later.reduce(document.lines) { $0.subtracting(document.lines(of: $1)) }
  }

  private func text(of name: String) throws -> String {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/DragboardInterface/Interfaces/\(interface(name)).xml")
    return try String(contentsOf: file, encoding: .utf8)
  }
}
