import Callers
import ClipboardModel
import DBus
import DragModel
import DragboardClient
import DragboardInterface

/// The bridge's object on the bus, which unsandboxed callers can use.
@ClipboardActor final class ClipboardService {
  private let bridge: Bridge
  private let pasting: Pasting
  private let selections: SelectionRecorder
  private let server: ObjectServer
  private let callers: CallerIdentification

  /// The identity of a caller, which the server stores.
  private final class Peer {
    let confinement: Confinement

    init(_ confinement: Confinement) { self.confinement = confinement }
  }

  /// Exports the object.
  init(
    _ bridge: Bridge, _ pasting: Pasting, _ selections: SelectionRecorder, on bus: Connection
  ) {
    (self.bridge, self.pasting, self.selections) = (bridge, pasting, selections)
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
    server.noteChange(of: Clipboard.storesSelections, at: Clipboard.path)
    server.noteChange(of: Clipboard.excludedApplications, at: Clipboard.path)
    server.noteChange(of: Clipboard.excludedWindows, at: Clipboard.path)
    server.noteChange(of: Clipboard.excludedTypes, at: Clipboard.path)
    server.noteChange(of: Clipboard.pasteKeys, at: Clipboard.path)
    server.flushChanges()
  }

  private static func table() -> InterfaceTable<ClipboardService, Call> {
    typealias Clipboard = ClipboardInterface
    var table = InterfaceTable<ClipboardService, Call>(Clipboard.name)
    table.deferredMethod(Clipboard.copy) { (service, _, reply, board, item) throws(DBusError) in
      let id = try itemID(item)
      service.answer(reply) {
        try await service.bridge.copy(id, ofBoardAt: board.text)
      }
    }
    table.deferredMethod(Clipboard.preparePaste) { (service, call, reply) throws(DBusError) in
      Task {
        await service.pasting.prepare(for: call.sender)
        reply.send()
      }
    }
    table.deferredMethod(Clipboard.paste) {
      (service, call, reply, board, item, options) throws(DBusError) in
      let (id, options) = (try itemID(item), try Pasting.Options(options))
      service.answer(refusing: reply.refuse) {
        let words = try await service.pasting.paste(
          id, ofBoardAt: board.text, options, for: call.sender
        ).words
        reply.send(words.outcome, words.reason)
      }
    }
    table.deferredMethod(Clipboard.allowPasting) { (service, _, reply) throws(DBusError) in
      service.answer(reply) {
        do throws(PasteObstacle) { try await service.pasting.allow() } catch {
          throw DBusError(.failed, error.rawValue)
        }
      }
    }
    table.method(Clipboard.forbidPasting) { (service, _) throws(DBusError) in
      service.pasting.forbid()
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
      Clipboard.storesSelections, get: { $0.bridge.settings.storesSelections },
      set: { (service, _, stores) throws(DBusError) in
        guard !stores || service.selections.isPossible else {
          throw DBusError(
            .failed, "StoresSelections: this desktop reports selected text to no program")
        }
        try service.set { $0.storesSelections = stores }
        Task { await service.selections.apply() }
      })
    table.property(
      Clipboard.excludedApplications, get: { $0.bridge.settings.exclusions.applications },
      set: { (service, _, names) throws(DBusError) in
        try service.exclude("ExcludedApplications", names) { $0.applications = names }
      })
    table.property(
      Clipboard.excludedWindows, get: { $0.bridge.settings.exclusions.windows },
      set: { (service, _, titles) throws(DBusError) in
        try service.exclude("ExcludedWindows", titles) { $0.windows = titles }
      })
    table.property(Clipboard.applicationReports) { $0.bridge.applicationReports }
    table.property(Clipboard.pasteMeans) { $0.bridge.paster?.means ?? "" }
    table.property(Clipboard.pastePermission) { $0.pasting.permission.rawValue }
    table.property(Clipboard.recentApplications) { $0.bridge.recentApplications }
    table.property(
      Clipboard.excludedTypes, get: { $0.bridge.settings.exclusions.types },
      set: { (service, _, types) throws(DBusError) in
        try service.exclude("ExcludedTypes", types) { $0.types = types }
      })
    table.property(
      Clipboard.pasteKeys, get: { $0.bridge.settings.pasteRules.map(\.text) },
      set: { (service, _, rules) throws(DBusError) in
        try check("PasteKeys", rules)
        let parsed = try rules.map { text throws(DBusError) in try rule(text) }
        try service.set { $0.pasteRules = parsed }
      })
    return table
  }

  private static func itemID(_ item: String) throws(DBusError) -> ItemID {
    guard let id = ItemID(item) else {
      throw DBusError(.invalidArgs, "item: \"\(item)\" is not the id of a row")
    }
    return id
  }

  /// The maximum number of patterns in a list, and the maximum length of a pattern.
  private static let maxPatterns = 256

  private func exclude(
    _ property: String, _ patterns: [String], _ change: (inout Exclusions) -> Void
  ) throws(DBusError) {
    try Self.check(property, patterns)
    try set { change(&$0.exclusions) }
  }

  private static func rule(_ text: String) throws(DBusError) -> PasteRule {
    guard let rule = PasteRule(text) else {
      throw DBusError(
        .invalidArgs,
        "PasteKeys: \"\(text)\" is not a rule (expected shift+insert, control+v or control+shift+v,"
          + " a space and a pattern)")
    }
    return rule
  }

  private static func check(_ property: String, _ patterns: [String]) throws(DBusError) {
    guard patterns.count <= maxPatterns,
      patterns.allSatisfy({ 1...maxPatterns ~= $0.utf8.count && !$0.utf8.contains { $0 < 32 } }
      )
    else {
      throw DBusError(
        .invalidArgs,
        "\(property): too many patterns, or an invalid pattern (expected at most \(maxPatterns)"
          + " patterns of 1 to \(maxPatterns) bytes without control characters)")
    }
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
    answer(refusing: reply.refuse) {
      try await body()
      reply.send()
    }
  }

  /// Runs `body`, which sends a reply, and passes its error to `refuse`.
  private func answer(
    refusing refuse: @escaping (DBusError) -> Void,
    _ body: @escaping @ClipboardActor () async throws -> Void
  ) {
    Task {
      do { try await body() } catch let error as DragboardError {
        refuse(DBusError(Self.name(of: error.reason), error.message))
      } catch let error as DBusError {
        refuse(error)
      } catch { refuse(DBusError(.failed, "\(error)")) }
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
