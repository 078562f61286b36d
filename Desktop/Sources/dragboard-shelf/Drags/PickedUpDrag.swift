import CGtk4
import DragboardClient
import ShelfModel

/// A drag that a program began on the bus and that the pointer now carries.
///
/// If the drag is dropped on another application, the shelf accepts it on a separate connection.
/// This connection belongs to no team or group. So it can read only the representations that are
/// visible to all clients, which the other application may have. If the connection leaves the bus,
/// an accepted drag ends with `cancel`.
final class PickedUpDrag: CarriedDrag {
  /// Empty, because the rows of a board that another application drags are copied.
  let items: [ItemID] = []
  let source: BoardPage? = nil
  var wasDroppedInside = false
  private let drag: WaitingDrag
  private let carried: DragSession
  private let report: Report
  var hasFailed = false
  var hasDelivered = false
  private var acceptance: Task<AcceptedDrop, any Error>?

  /// Creates the carried drag for a waiting one.
  init(
    _ drag: WaitingDrag, on connection: DragboardConnection, report: Report
  ) {
    self.drag = drag
    carried = DragSession(drag.id, on: connection)
    self.report = report
  }

  var session: DragSession? { carried }

  /// Lets the user drag a waiting drag by a widget.
  static func attach(
    to widget: Widget, drags: DragsOfShelf, transfers: Transfers, report: Report,
    _ waiting: @escaping () -> (drag: WaitingDrag, connection: DragboardConnection)?
  ) {
    drags.carry(from: widget) {
      guard let (drag, connection) = waiting() else { return nil }
      let picked = PickedUpDrag(drag, on: connection, report: report)
      let file = RowContentProvider.fileToSave(drag.items)
      let types = OutgoingTypes.of(drag.items, isSaved: file != nil)
      return RowContentProvider.provider(of: types, from: picked, transfers).map {
        DragsOfShelf.Prepared(
          drag: picked, content: $0, mayMove: false, fileName: file,
          writer: RowContentProvider(picked, transfers))
      }
    }
  }

  /// Returns the drop.
  ///
  /// The drop is accepted when the first bytes are requested.
  private func accepted() async throws -> AcceptedDrop {
    if let acceptance { return try await acceptance.value }
    let task = Task { [drag] in
      let connection = try await DragboardConnection.connect()
      let drop = try await DragSession(drag.id, on: connection).accept()
      guard drop.granted.transfers else { throw NotGranted() }
      return drop
    }
    acceptance = task
    return try await task.value
  }

  func conclude(_ end: DragEnd) {
    guard !wasDroppedInside else { return }
    guard !hasFailed, end.isAccepted else { return cancel() }
    Task {
      do {
        let drop = try await accepted()
        try await drop.finish()
        await drop.session.connection.close()
      } catch { report(error) }
    }
  }

  func concludeMove() {}

  /// Returns the drag to the waiting drags, unless an application has already read its content.
  func cancel() {
    guard !wasDroppedInside else { return }
    Task { try? await acceptance?.value.session.connection.close() }
  }

  /// The error if the source of the drag does not grant the drop.
  private struct NotGranted: Error, CustomStringConvertible {
    let description = "only the source application may receive this drag"
  }
}

extension PickedUpDrag: ContentSource {
  func items() async throws -> [any HeldOut] {
    let session = try await accepted().session
    return try await WaitingDrags.items(of: session, first: drag.itemCount)
  }

  func file(ofItem item: Int, as type: ContentType) async throws -> ReceivedFile {
    try await accepted().file(ofItem: item, as: type)
  }

  func receive(
    item: Int, as type: ContentType,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws -> Bool {
    do {
      try await accepted().receive(item: item, as: type, body)
      return true
    } catch let error as DragboardError
      where error.reason == .invalidArguments || error.reason == .unsupported
    {
      // The item is not a promise, or the daemon is older.
      return false
    }
  }

  func promisedSize(ofItem item: Int, as type: ContentType) async throws -> Int {
    let session = try await accepted().session
    let types = try await session.types(ofItem: item)
    let sizes = try await session.sizes(ofItem: item)
    return zip(types, sizes).first { $0.0 == type }?.1 ?? 0
  }

  func directory(ofItem item: Int) -> String { "drag-\(drag.id)-\(item)" }

  var title: String { counted("Sending one item", "Sending %1 items", drag.itemCount) }

  /// The source can only add items, and not after the drop was accepted.
  var isUnchanging: Bool { true }

  func stop() { cancel() }
}
