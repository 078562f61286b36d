import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The contract")
struct ContractTests {
  /// An object, and the files of the contract that describe its interfaces.
  enum Served: String, CaseIterable {
    case root, board, session, view

    var files: [String] {
      switch self {
      case .root: ["Manager"]
      case .board: ["Board", "DragSource", "DropTarget", "Views"]
      case .session: ["DragSession"]
      case .view: ["View"]
      }
    }

    func path(_ client: BusClient) throws(DBusError) -> ObjectPath {
      switch self {
      case .root: Dragboard.root
      case .board: BusClient.board
      case .session: try client.beginDrag()
      case .view: try client.call(ViewsInterface.openView, at: BusClient.board, "")
      }
    }
  }

  @Test(
    "The introspection of each object equals the contract",
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

  @Test("Every object has the standard interfaces, and the root also has ObjectManager")
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

  /// Returns an interface as the contract describes it.
  private func contract(_ name: String) throws -> Set<String> {
    try InterfaceDocument(text(of: name)).lines
  }

  private func text(of name: String) throws -> String {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/DragboardInterface/Interfaces/\(interface(name)).xml")
    return try String(contentsOf: file, encoding: .utf8)
  }
}
