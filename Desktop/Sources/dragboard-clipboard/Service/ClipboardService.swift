import ClipboardModel
import DBus
import DragboardClient
import DragboardInterface

/// The bridge's object on the bus.
@ClipboardActor final class ClipboardService {
  private let bridge: Bridge
  private let server: ObjectServer

  /// Exports the object.
  init(_ bridge: Bridge, on bus: Connection) {
    self.bridge = bridge
    server = ObjectServer(bus)
    server.export(ClipboardInterface.path, [ObjectInterface(Self.table(), of: self)])
    bridge.onStateChange = { [unowned self] in noteChange() }
  }

  /// Reports that the state has changed.
  private func noteChange() {
    typealias Clipboard = ClipboardInterface
    server.noteChange(of: Clipboard.paused, at: Clipboard.path)
    server.noteChange(of: Clipboard.excludedApplications, at: Clipboard.path)
    server.noteChange(of: Clipboard.excludedTypes, at: Clipboard.path)
    server.flushChanges()
  }

  private static func table() -> InterfaceTable<ClipboardService, Call> {
    typealias Clipboard = ClipboardInterface
    var table = InterfaceTable<ClipboardService, Call>(Clipboard.name)
    table.deferredMethod(Clipboard.copy) { (service, _, reply, board, item) throws(DBusError) in
      guard let id = ItemID(item) else {
        throw DBusError(.invalidArgs, "item: \"\(item)\" is not the id of a row")
      }
      service.answer(reply) { () throws(DragboardError) in
        try await service.bridge.copy(id, ofBoardAt: board.text)
      }
    }
    table.method(Clipboard.pause) { (service, _, seconds) throws(DBusError) in
      service.bridge.pause(for: seconds == 0 ? nil : .seconds(seconds))
    }
    table.method(Clipboard.resume) { (service, _) throws(DBusError) in
      service.bridge.resume()
    }
    table.deferredMethod(Clipboard.clear) { (service, _, reply) throws(DBusError) in
      service.answer(reply) { () throws(DragboardError) in try await service.bridge.clear() }
    }
    table.property(Clipboard.backend) { $0.bridge.backendName }
    table.property(Clipboard.paused) { $0.bridge.pause != nil }
    table.property(
      Clipboard.excludedApplications, get: { $0.exclusions.applications },
      set: { (service, _, names) throws(DBusError) in
        try service.exclude("ExcludedApplications", names) { $0.applications = names }
      })
    table.property(
      Clipboard.excludedTypes, get: { $0.exclusions.types },
      set: { (service, _, types) throws(DBusError) in
        try service.exclude("ExcludedTypes", types) { $0.types = types }
      })
    return table
  }

  private var exclusions: Exclusions { bridge.exclusions }

  /// The maximum number of patterns of a list, and the maximum length of each.
  private static let maxPatterns = 256

  private func exclude(
    _ property: String, _ patterns: [String], _ change: (inout Exclusions) -> Void
  ) throws(DBusError) {
    guard patterns.count <= Self.maxPatterns,
      patterns.allSatisfy({ 1...Self.maxPatterns ~= $0.utf8.count && !$0.utf8.contains { $0 < 32 } }
      )
    else {
      throw DBusError(
        .invalidArgs,
        "\(property): too many patterns, or an invalid one"
          + " (up to \(Self.maxPatterns) patterns of 1 to \(Self.maxPatterns) bytes, no controls)")
    }
    var exclusions = exclusions
    change(&exclusions)
    do throws(ExclusionsFile.Failure) { try bridge.exclude(exclusions) } catch {
      throw DBusError(.ioError, error.description)
    }
  }

  /// Answers when `body` has ended.
  private func answer(
    _ reply: Reply<>, _ body: @escaping () async throws(DragboardError) -> Void
  ) {
    Task {
      do throws(DragboardError) {
        try await body()
        reply.send()
      } catch { reply.refuse(DBusError(Self.name(of: error.reason), error.message)) }
    }
  }

  private static func name(of reason: DragboardError.Reason) -> ErrorName {
    switch reason {
    case .noSuchBoard: .noSuchBoard
    case .noSuchItem: .noSuchItem
    default: .failed
    }
  }
}
