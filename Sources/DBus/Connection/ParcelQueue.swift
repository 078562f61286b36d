/// Messages in parcels, in order; what is put in goes behind the others.
final class ParcelQueue {
  private(set) var parcels: [Parcel] = []
  /// How many bytes are here.
  private(set) var byteCount = 0
  private let supply: ParcelSupply

  /// An empty queue.
  init(_ supply: ParcelSupply) { self.supply = supply }

  /// The first parcel, unless a message is being written there.
  var ready: Parcel? { parcels.first.flatMap { $0.isBeingWritten ? nil : $0 } }

  /// Where a message is that has been put in.
  struct Place {
    let parcel: Int
    let bytes: Range<Int>
    /// How large its arguments are.
    let size: MessageSize
  }

  /// Puts in a message that is made here; one that was received, nobody sends.
  @discardableResult
  func put(_ message: Message, serial: UInt32) -> Place? {
    message.withContents { header, body in
      let index = Parcel.isAlone(body) ? newParcel() : openParcel()
      let parcel = parcels[index]
      let (start, byteCount) = (parcel.end, parcel.byteCount)
      parcel.add(message, header, body, serial: serial)
      self.byteCount += parcel.byteCount - byteCount
      return Place(parcel: index, bytes: start..<parcel.end, size: body.size)
    }
  }

  /// Puts in a message that `content` writes; one that bears descriptors it writes once more, by itself.
  ///
  /// - Returns: where it is; nil of one that the bus would not carry, which is not put in.
  func put(
    _ header: MessageHeader, serial: UInt32, as types: Signature,
    _ content: (inout MessageWriter) -> Void
  ) -> Place? {
    let index = openParcel()
    let parcel = parcels[index]
    let start = parcel.end
    switch parcel.write(header, serial: serial, as: types, content) {
    case .written(let size):
      let end = parcel.end
      byteCount += end - start
      return Place(parcel: index, bytes: start..<end, size: size)
    case .tooLarge: return nil
    case .bearsDescriptors:
      let message = Message(header)
      message.write(types, content)
      return put(message, serial: serial)
    }
  }

  /// Puts in a message of a parcel that was taken out of another queue, as it is.
  func put(bytes range: Range<Int>, of parcel: Parcel) {
    guard !parcel.isAlone else { return append(parcel) }
    parcels[openParcel()].add(bytes: range, of: parcel)
    byteCount += range.count
  }

  /// Puts in all that was taken out of another queue; what is little joins what waits already.
  func put(_ others: [Parcel]) {
    for parcel in others {
      if !parcel.isAlone, parcel.end <= Parcel.mostCopied, let last = lastIfOpen() {
        parcels[last].add(bytes: 0..<parcel.end, of: parcel)
        byteCount += parcel.end
        supply.give(back: parcel)
      } else {
        append(parcel)
      }
    }
  }

  private func append(_ parcel: Parcel) {
    parcels.append(parcel)
    byteCount += parcel.byteCount
  }

  private func openParcel() -> Int { lastIfOpen() ?? newParcel() }

  private func lastIfOpen() -> Int? {
    let parcels = parcels
    guard let last = parcels.last, last.isOpen else { return nil }
    return parcels.count - 1
  }

  private func newParcel() -> Int {
    parcels.append(supply.take())
    return parcels.count - 1
  }

  // MARK: Taking out

  /// Notes that so many bytes of what is here have gone out.
  func noteSent(_ count: Int) { byteCount -= count }

  /// Takes the first parcel out, sent or not.
  func removeFirst() {
    let parcel = parcels.removeFirst()
    byteCount -= parcel.byteCount
    supply.give(back: parcel)
  }

  /// Takes everything out.
  func takeAll() -> [Parcel] {
    defer {
      parcels = []
      byteCount = 0
    }
    return parcels
  }
}

/// Parcels that have gone out, and their memory, for the next messages.
final class ParcelSupply {
  private var spare: [Parcel] = []
  /// One to send, one to hold back.
  private static let most = 2

  /// A parcel without messages.
  func take() -> Parcel { spare.popLast() ?? Parcel() }

  /// Takes a parcel that nobody needs any more.
  func give(back parcel: Parcel) {
    guard spare.count < Self.most else { return }
    parcel.clear()
    spare.append(parcel)
  }
}
