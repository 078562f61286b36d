import DBus
import DragModel
import DragboardStore

/// Has everything that a drop copies loaded, and made ready to be stored.
final class Gathering {
  /// An item, and as much of it as has arrived.
  struct Item {
    let plan: CopyPlan.Item
    fileprivate(set) var slots: [Slot]

    /// Whether something has arrived.
    var hasArrived: Bool {
      slots.contains { if case .ready = $0 { true } else { false } }
    }

    /// What has arrived, in order of fidelity.
    var representations: [RowContent.Representation] {
      slots.compactMap { if case .ready(let representation) = $0 { representation } else { nil } }
    }

    /// Whether nothing of it has arrived, and nothing will.
    var hasFailed: Bool {
      slots.allSatisfy { if case .failed = $0 { true } else { false } }
    }

    /// Why what has not arrived has not.
    var reasons: [DBusError] {
      slots.compactMap { if case .failed(let reason) = $0 { reason } else { nil } }
    }
  }

  /// One representation on its way.
  enum Slot {
    case awaited
    case there(Payload)
    case ready(RowContent.Representation)
    case failed(DBusError)
  }

  /// The items that have been looked at, in the order of the session.
  private(set) var items: [Item] = []
  private let plan: CopyPlan
  private let session: SessionObject
  private let service: Service
  private var missing = 0
  /// What has been asked of promises.
  private var questions: [Int] = []
  private var onEnd: (() -> Void)?

  /// Looks at what is there already, unless it is many items; nothing is asked of a promise yet.
  init(_ plan: CopyPlan, of session: SessionObject) {
    self.plan = plan
    self.session = session
    service = session.service
    if !isLarge { lookAtItems { true } }
  }

  /// Whether there are so many items that they are looked at in steps, with others' calls in between.
  var isLarge: Bool { plan.items.count > Staging.mostAtOnce }

  private func lookAtItems(while isTimeLeft: () -> Bool) {
    while items.count < plan.items.count, isTimeLeft() {
      let item = plan.items[items.count]
      items.append(Item(plan: item, slots: item.representations.map { slot(for: $0) }))
    }
  }

  private func slot(for representation: Representation) -> Slot {
    guard let content = representation.content as? ReadyContent else { return .awaited }
    do throws(StoreError) {
      let bytes = try content.bytes()
      guard let few = bytes.inlineBytes else { return .there(bytes) }
      return .ready(RowContent.Representation(type: representation.type, data: few))
    } catch { return failed(error.answer) }
  }

  private func failed(_ error: DBusError) -> Slot {
    if error.name == .ioError { refusal = refusal ?? error }
    return .failed(error)
  }

  /// Whether nothing has to be waited for.
  var isComplete: Bool { !isLarge && items.allSatisfy { $0.slots.allSatisfy(\.isSettled) } }

  /// The indexes of all items in the session.
  var indexes: [Int] { plan.items.map(\.index) }

  /// The items of which something has arrived: mostly all, and no list is made of them.
  var arrived: [Item] {
    items.allSatisfy(\.hasArrived) ? items : items.filter(\.hasArrived)
  }

  /// How many rows there will be, as far as anybody can tell.
  var count: Int { plan.items.count - items.count(where: \.hasFailed) }

  /// Why the disk did not take something that has arrived; nil where it took all.
  private(set) var refusal: DBusError?

  /// Loads what is not there; `onEnd` is called once, when everything has arrived or failed.
  func start(_ onEnd: @escaping () -> Void) {
    self.onEnd = onEnd
    missing = 1
    guard isLarge else {
      begin(items.indices)
      return settle()
    }
    items.reserveCapacity(plan.items.count)
    service.workInSteps { [self] in goOn() }
  }

  /// Looks at some more items; whether there are more.
  private func goOn() -> Bool {
    guard onEnd != nil else { return false }
    let (first, end) = (items.count, ContinuousClock.now + Staging.step)
    lookAtItems { .now < end }
    begin(first..<items.count)
    guard items.count == plan.items.count else { return true }
    settle()
    return false
  }

  private func begin(_ range: Range<Int>) {
    for item in range {
      for slot in items[item].slots.indices { begin(item, slot) }
    }
  }

  /// Nobody waits any more: what promises have not given yet is not asked for.
  func stop() {
    onEnd = nil
    for number in questions { session.loads.withdraw(number) }
    questions = []
  }

  private func begin(_ item: Int, _ slot: Int) {
    switch items[item].slots[slot] {
    case .ready, .failed: return
    case .there(let bytes):
      missing += 1
      prepare(bytes, item, slot)
    case .awaited:
      missing += 1
      ask(items[item].plan.representations[slot].content, item, slot)
    }
  }

  private func ask(_ content: any RepresentationContent, _ item: Int, _ slot: Int) {
    let question = session.loads.load(content) { [self] result in
      switch result {
      case .success(let bytes): prepare(bytes, item, slot)
      case .failure(let error): settle(item, slot, failed(error))
      }
    }
    if let question { questions.append(question) }
  }

  /// Makes bytes ready to be stored, off the loop where that takes time.
  private func prepare(_ bytes: Payload, _ item: Int, _ slot: Int) {
    let type = items[item].plan.representations[slot].type
    if let few = bytes.inlineBytes {
      return settle(item, slot, .ready(RowContent.Representation(type: type, data: few)))
    }
    let files = service.repository.contents
    service.work {
      Result { () throws(StoreError) in
        try RowContent.Representation(preparing: bytes, type, in: files)
      }
    } then: { [self] result in
      switch result {
      case .success(let ready): settle(item, slot, .ready(ready))
      case .failure(let error): settle(item, slot, failed(error.answer))
      }
    }
  }

  private func settle(_ item: Int, _ slot: Int, _ outcome: Slot) {
    items[item].slots[slot] = outcome
    session.noteLoading()
    settle()
  }

  private func settle() {
    missing -= 1
    guard missing == 0, let onEnd else { return }
    self.onEnd = nil
    onEnd()
  }
}

extension Gathering.Slot {
  fileprivate var isSettled: Bool {
    switch self {
    case .ready, .failed: true
    case .awaited, .there: false
    }
  }
}
