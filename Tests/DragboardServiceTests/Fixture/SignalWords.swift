import DBus
import DragboardInterface
import TestSupport

extension BusClient.ReceivedSignal {
  /// The name and the arguments, with each object path shortened to its last element: `DragEnded 7
  /// org.source copy`.
  ///
  /// For `Changed`, the arguments are only the revisions; for `DropPerformed`, the number of rows
  /// replaces the rows. For a signal of a standard interface, there are no arguments.
  var words: String {
    let arguments = try? interface.hasPrefix(Dragboard.busName.text) ? self.arguments : []
    return ([member] + (arguments ?? ["?"])).joined(separator: " ")
  }

  /// The changed values of a PropertiesChanged, by name.
  var changedProperties: [String: Value] {
    get throws {
      try message.arguments(as: String.self, [String: Variant].self, [String].self).1
        .mapValues(\.value)
    }
  }

  private var arguments: [String] {
    get throws {
      switch member {
      case "DragBegan", "DidExit": try pair()
      case "DragEnded":
        try words(of: message.arguments(as: ObjectPath.self, String.self, String.self))
      case "ItemChanged": ["\(try message.arguments(as: UInt32.self))"]
      case "WillEnd", "DidEnd": [try message.arguments(as: String.self)]
      case "DidTransferItems": try words(of: message.arguments(as: [UInt32].self, [UInt32].self))
      case "ItemsAdded": try words(of: message.arguments(as: UInt32.self, UInt32.self))
      case "DidUpdate":
        try words(
          of: message.arguments(
            as: String.self, ObjectPath.self, String.self, UInt32.self, UInt32.self))
      case "Changed": try revisions()
      case "DropPerformed": try drop()
      default: ["?"]
      }
    }
  }

  private func pair() throws -> [String] {
    member == "DragBegan"
      ? try words(of: message.arguments(as: ObjectPath.self, String.self))
      : try words(of: message.arguments(as: String.self, ObjectPath.self))
  }

  private func revisions() throws -> [String] {
    let (from, to, _) = try message.arguments(
      as: UInt64.self, UInt64.self, [WireChange].self)
    return ["\(from)", "\(to)"]
  }

  private func drop() throws -> [String] {
    let (session, operation, items) = try message.arguments(
      as: ObjectPath.self, String.self, [String].self)
    return [session.element, operation, "\(items.count)"]
  }

  private func words<each Argument>(of arguments: (repeat each Argument)) -> [String] {
    var words: [String] = []
    for argument in repeat each arguments {
      words.append((argument as? ObjectPath)?.element ?? "\(argument)")
    }
    return words
  }
}

extension ObjectPath {
  /// The last element of the path.
  var element: String { String(text.split(separator: "/").last ?? "") }
}

extension BusClient {
  /// Takes the daemon's signals that have arrived, as words; leaves out standard interfaces.
  func takeWords() -> [String] {
    takeSignals().filter { $0.interface.hasPrefix(Dragboard.busName.text) }.map(\.words)
  }

  /// Returns every new value of a property in the PropertiesChanged signals that have arrived, in
  /// order.
  func takeChanges(of property: String, at path: ObjectPath) throws -> [Value] {
    try takeSignals().filter { $0.member == "PropertiesChanged" && $0.path == path.text }
      .compactMap { try $0.changedProperties[property] }
  }
}
