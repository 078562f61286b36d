/// Messages that wait until what they tell of is concluded, written as they will go out.
final class HeldMessages {
  /// A message, and what it answers.
  struct Entry {
    fileprivate let parcel: Int
    /// Where it is in its parcel.
    let bytes: Range<Int>
    /// The call that it answers, and from whom that came; nil of a signal or a call.
    let answered: (serial: UInt32, caller: String?)?
    /// Whether it may turn out not to be so.
    fileprivate(set) var isProvisional: Bool
  }

  private var entries: [Entry] = []
  private let queue: ParcelQueue
  /// Where the event in hand began.
  private var firstOfEvent = 0
  /// Whether messages are to be held.
  private(set) var isHolding = false
  /// Whether what is put in now may turn out not to be so.
  private(set) var isProvisional = false

  /// Holds nothing yet.
  init(_ supply: ParcelSupply) { queue = ParcelQueue(supply) }

  /// How many bytes are held.
  var byteCount: Int { queue.byteCount }

  /// Holds messages from now on; those of the event in hand are provisional.
  func hold() {
    guard !isProvisional else { return }
    isProvisional = true
    if isHolding {
      for index in firstOfEvent..<entries.count { entries[index].isProvisional = true }
    }
    isHolding = true
  }

  /// Begins an event: what is put in from here on is provisional only where `hold` is called again.
  func beginEvent() {
    isProvisional = false
    firstOfEvent = entries.count
  }

  // MARK: Putting in

  /// Holds a message that `content` writes.
  ///
  /// - Returns: how large it is; nil of one that the bus would not carry, which is not held.
  func put(
    _ header: MessageHeader, serial: UInt32, as types: Signature,
    _ content: (inout MessageWriter) -> Void
  ) -> MessageSize? {
    guard let place = queue.put(header, serial: serial, as: types, content) else { return nil }
    note(place, answering: header.replySerial, from: header.destination)
    return place.size
  }

  /// Holds a message that is made here.
  func put(_ message: Message, serial: UInt32) {
    guard let place = queue.put(message, serial: serial) else { return }
    note(place, answering: message.replySerial, from: message.destination)
  }

  private func note(_ place: ParcelQueue.Place, answering serial: UInt32, from caller: String?) {
    entries.append(
      Entry(
        parcel: place.parcel, bytes: place.bytes, answered: serial == 0 ? nil : (serial, caller),
        isProvisional: isProvisional))
  }

  // MARK: Taking out

  /// Ends holding; gives what was held, whole.
  func release() -> [Parcel] {
    end()
    return queue.takeAll()
  }

  /// Ends holding; gives what was held, one by one, and the parcel that each is in.
  func take() -> [(message: Entry, parcel: Parcel)] {
    let taken = entries
    end()
    let parcels = queue.takeAll()
    return taken.map { ($0, parcels[$0.parcel]) }
  }

  /// Holds what `body` sends, and forgets it.
  func swallow(_ body: () -> Void) {
    isHolding = true
    body()
    _ = release()
  }

  private func end() {
    entries.removeAll(keepingCapacity: entries.capacity <= Self.mostKept)
    firstOfEvent = 0
    isHolding = false
    isProvisional = false
  }

  /// For so many entries the memory is kept.
  private static let mostKept = 1_024
}
