import DBus
import DragboardStore
import Logging

/// The supply of numbers for the paths of new sessions, or of new views.
///
/// No number is used twice, so a path from before a restart names no object after it. The
/// store reserves a thousand numbers at once. If the disk refuses the reservation, the process
/// uses numbers from a range far above the reserved numbers. The range starts at a random number.
/// So a full disk does not prevent drags and views, which store nothing.
final class PathNumbers {
  typealias Reservation = (BoardStore) throws(StoreError) -> Range<UInt64>

  private static let firstUnreserved: Range<UInt64> = 1 << 48..<1 << 52
  /// After this number of unreserved numbers, the store is asked again for a reservation.
  private static let unreservedCount: UInt64 = 64

  private let log: Logger
  private let reserve: Reservation
  private var numbers: Range<UInt64> = 0..<0
  private var unreserved = UInt64.random(in: firstUnreserved)

  /// Creates a supply.
  ///
  /// `reserve` reserves a range of numbers within a transaction.
  init(_ log: Logger, reserve: @escaping Reservation) {
    (self.log, self.reserve) = (log, reserve)
  }

  /// Returns the next number.
  ///
  /// A reservation commits the earlier steps, and is then a separate transaction. So a drag does
  /// not fail if edits of other clients cannot be stored. Call it before the step appends anything.
  ///
  /// - Throws: IOError if the step depends on edits, and the disk does not store them.
  func next(in step: Step) throws(DBusError) -> UInt64 {
    if numbers.isEmpty {
      try step.commitEarlierSteps()
      numbers = reserved(in: step)
    }
    return numbers.removeFirst()
  }

  private func reserved(in step: Step) -> Range<UInt64> {
    do throws(StoreError) {
      let reserved = try step.writeApart { store throws(StoreError) in
        let reserved = try reserve(store)
        try store.commit()
        return reserved
      }
      if let reserved { return reserved }
    } catch {
      log.warning(
        "numbers for object paths cannot be reserved, so new drags and views get long numbers: \(error)"
      )
    }
    defer { unreserved += Self.unreservedCount }
    return unreserved..<unreserved + Self.unreservedCount
  }
}
