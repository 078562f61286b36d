import Callers
import ClipboardModel
import DBus
import DragModel
import DragboardClient
import DragboardInterface

/// The bridge's object on the bus, which unsandboxed callers can use.
@ClipboardActor final class ClipboardService {
  private let bridge: Bridge
  private let server: ObjectServer
  private let callers: CallerIdentification

  /// The identity of a caller, which the server stores.
  private final class Peer {
    let confinement: Confinement

    init(_ confinement: Confinement) { self.confinement = confinement }
  }

  /// Exports the object.
  init(_ bridge: Bridge, on bus: Connection) {
    self.bridge = bridge
    server = ObjectServer(bus)
    callers = CallerIdentification(bus) { _, work, then in
      Task { then(await Task.detached { work() }.value) }
    }
    _ = Admission(server) { [callers] name, then in
      callers.identify(name) { caller, validity in
        then(Identity(Peer(caller.confinement), validFor: validity))
      }
    }
    server.willAnswer = { call, _ throws(DBusError) in
      guard (call.peer as? Peer)?.confinement == .unsandboxed else {
        throw DBusError(.accessDenied, "a sandboxed client may not use the clipboard bridge")
      }
    }
    server.export(ClipboardInterface.path, [ObjectInterface(Self.table(), of: self)])
    bridge.onStateChange = { [unowned self] in noteChange() }
  }

  /// Reports that the state has changed.
  private func noteChange() {
    typealias Clipboard = ClipboardInterface
    server.noteChange(of: Clipboard.paused, at: Clipboard.path)
    server.noteChange(of: Clipboard.pausesWhileLocked, at: Clipboard.path)
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
      service.answer(reply) {
        try await service.bridge.copy(id, ofBoardAt: board.text)
      }
    }
    table.method(Clipboard.pause) { (service, _, seconds) throws(DBusError) in
      service.bridge.pause(for: seconds == 0 ? nil : .seconds(seconds))
    }
    table.method(Clipboard.resume) { (service, _) throws(DBusError) in
      service.bridge.resume()
    }
    table.deferredMethod(Clipboard.clear) { (service, _, reply, pinned) throws(DBusError) in
      service.answer(reply) { try await service.bridge.clear(includingPinned: pinned) }
    }
    table.property(Clipboard.backend) { $0.bridge.backendName }
    table.property(Clipboard.paused) { $0.bridge.isPaused }
    table.property(
      Clipboard.pausesWhileLocked, get: { $0.bridge.settings.pausesWhileLocked },
      set: { (service, _, pauses) throws(DBusError) in
        try service.set { $0.pausesWhileLocked = pauses }
      })
    table.property(
      Clipboard.excludedApplications, get: { $0.bridge.settings.exclusions.applications },
      set: { (service, _, names) throws(DBusError) in
        try service.exclude("ExcludedApplications", names) { $0.applications = names }
      })
    table.property(
      Clipboard.excludedTypes, get: { $0.bridge.settings.exclusions.types },
      set: { (service, _, types) throws(DBusError) in
        try service.exclude("ExcludedTypes", types) { $0.types = types }
      })
    return table
  }

  /// The maximum number of patterns in a list, and the maximum length of a pattern.
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
        "\(property): too many patterns, or an invalid pattern (expected at most \(Self.maxPatterns)"
          + " patterns of 1 to \(Self.maxPatterns) bytes without control characters)")
    }
    try set { change(&$0.exclusions) }
  }

  private func set(_ change: (inout ClipboardSettings) -> Void) throws(DBusError) {
    var settings = bridge.settings
    change(&settings)
    do throws(SettingsFile.Failure) { try bridge.set(settings) } catch {
      throw DBusError(.ioError, error.description)
    }
  }

  /// Runs `body`, and sends the reply when it ends.
  private func answer(
    _ reply: Reply<>, _ body: @escaping @ClipboardActor () async throws -> Void
  ) {
    Task {
      do {
        try await body()
        reply.send()
      } catch let error as DragboardError {
        reply.refuse(DBusError(Self.name(of: error.reason), error.message))
      } catch { reply.refuse(DBusError(.failed, "\(error)")) }
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
