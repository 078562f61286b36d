import BoardModel
import DBus
import DragModel
import DragboardStore

/// One drop on a board, with the copied items and the representations that have arrived.
final class DropJob {
  /// A copied item with the states of its representations.
  struct Item {
    let plan: CopyPlan.Item
    fileprivate(set) var slots: [Slot]

    /// Whether a representation has arrived.
    var hasArrived: Bool { slots.contains { $0.ready != nil } }

    /// The representations that have arrived, in order of fidelity.
    var representations: [RowContent.Representation] { slots.compactMap(\.ready) }

    /// Whether all representations have failed.
    var hasFailed: Bool { slots.allSatisfy { $0.failure != nil } }
  }

  /// The state of one representation.
  enum Slot {
    /// The bytes must be requested from the source.
    case promised(Promise)
    /// The bytes are available and must be stored.
    case available(Payload)
    /// The bytes are stored, so that a row can have them.
    case ready(RowContent.Representation)
    case failed(DBusError)

    fileprivate var ready: RowContent.Representation? {
      if case .ready(let representation) = self { representation } else { nil }
    }

    fileprivate var failure: DBusError? {
      if case .failed(let error) = self { error } else { nil }
    }

    /// Whether the representation has arrived or failed.
    fileprivate var isSettled: Bool { ready != nil || failure != nil }
  }

  /// The position of a representation: its item's index in ``items``, and its index in the item.
  struct Place {
    let item: Int
    let slot: Int
  }

  /// The content of the signal DropPending.
  struct Notice: Equatable {
    let count: Int
    let path: IndexPath
    let progress: Double
  }

  let session: SessionEntity
  let board: BoardEntity
  let proposal: DropProposal
  let reply: Reply<String, [String]>
  /// The position of the rows.
  ///
  /// It follows other edits of the board.
  let insertion: PendingInsertion
  let report: Throttle
  var state = DropState()
  var lastNotice: Notice?
  /// The staging of the contents, if the drop has many rows.
  var staging: Staging?
  /// The requests to promises, of which some may be unanswered.
  var requests: [Promise.Request] = []
  /// The items that have been inspected, in the order of the session.
  private(set) var items: [Item] = []
  /// The first disk error.
  ///
  /// It fails the whole drop, because a drop stores all arrived items or none.
  private(set) var diskError: DBusError?
  private let plan: CopyPlan

  init(
    _ proposal: DropProposal, of session: SessionEntity, on board: BoardEntity,
    answering reply: Reply<String, [String]>, _ scheduler: Scheduler
  ) {
    (self.proposal, self.session, self.board) = (proposal, session, board)
    self.reply = reply
    insertion = PendingInsertion(at: proposal.destination)
    report = Throttle(scheduler)
    plan = CopyPlan(
      session.session, accepting: proposal.operation == .copy ? board.acceptedTypes : [])
    if !isLarge { _ = inspect { true } }
  }

  // MARK: Items

  /// Whether the drop has so many items that they are inspected in several steps.
  private var isLarge: Bool { plan.items.count > Staging.maxAtOnce }

  /// Whether every representation has arrived or failed.
  ///
  /// It is false for drops with many items.
  var isComplete: Bool { !isLarge && items.allSatisfy { $0.slots.allSatisfy(\.isSettled) } }

  /// Whether all items have been inspected.
  var isInspected: Bool { items.count == plan.items.count }

  /// The indexes in the session of the copied items; for a move, of all items.
  var indexes: [Int] {
    proposal.operation == .copy ? plan.items.map(\.index) : Array(session.session.items.indices)
  }

  /// The number of rows that the drop will insert, unless more items fail.
  var count: Int { plan.items.count - items.count(where: \.hasFailed) }

  /// The items with at least one arrived representation.
  var arrived: [Item] {
    // Usually all items have arrived. In this case no array is allocated.
    items.allSatisfy(\.hasArrived) ? items : items.filter(\.hasArrived)
  }

  /// The errors of the representations that have failed.
  var failures: [DBusError] { items.flatMap { $0.slots.compactMap(\.failure) } }

  /// Inspects the next items as long as `hasTime` returns true.
  ///
  /// - Returns: the positions of those representations of the inspected items that must be loaded.
  func inspect(while hasTime: () -> Bool) -> [Place] {
    let first = items.count
    while !isInspected, hasTime() {
      let item = plan.items[items.count]
      items.append(Item(plan: item, slots: item.representations.map { slot(for: $0) }))
    }
    return unsettled(from: first)
  }

  /// Returns the positions of representations that must be loaded, for items from `first` on.
  func unsettled(from first: Int) -> [Place] {
    (first..<items.count).flatMap { item in
      items[item].slots.indices.lazy.filter { !self.items[item].slots[$0].isSettled }
        .map { Place(item: item, slot: $0) }
    }
  }

  private func slot(for representation: Representation) -> Slot {
    if let promise = representation.content as? Promise {
      return promise.bytes.map { slot(for: $0, as: representation.type) } ?? .promised(promise)
    }
    guard let content = representation.content as? ReadyContent else {
      return .failed(.dragIsOver)
    }
    do throws(StoreError) {
      return slot(for: try content.bytes(), as: representation.type)
    } catch { return failed(error.answer) }
  }

  private func slot(for bytes: Payload, as type: ContentType) -> Slot {
    bytes.inlineBytes.map { .ready(RowContent.Representation(type: type, data: $0)) }
      ?? .available(bytes)
  }

  private func failed(_ error: DBusError) -> Slot {
    if error.name == .ioError { diskError = diskError ?? error }
    return .failed(error)
  }

  // MARK: Representations

  subscript(_ place: Place) -> Slot { items[place.item].slots[place.slot] }

  func type(at place: Place) -> ContentType {
    items[place.item].plan.representations[place.slot].type
  }

  /// Records the bytes of a promise, or its error.
  ///
  /// - Returns: the new state of the representation. It is final unless the bytes must be stored.
  func note(_ result: Result<Payload, DBusError>, at place: Place) -> Slot {
    let slot: Slot =
      switch result {
      case .success(let bytes): slot(for: bytes, as: type(at: place))
      case .failure(let error): failed(error)
      }
    items[place.item].slots[place.slot] = slot
    return slot
  }

  /// Records that bytes have been stored, or the error of the disk.
  func note(_ result: Result<RowContent.Representation, StoreError>, at place: Place) {
    items[place.item].slots[place.slot] =
      switch result {
      case .success(let representation): .ready(representation)
      case .failure(let error): failed(error.answer)
      }
  }
}
