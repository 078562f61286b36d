import DBus
import DragboardStore
import Logging

/// Numbers for the paths of new sessions, or of new views.
///
/// None is given twice, so that a path from before a restart names nothing after it. Numbers are
/// reserved in the repository by the thousand, in a transaction of their own. If the disk refuses
/// that, this process takes numbers from a range that starts at random, far beyond all that can be
/// reserved: drags and views keep nothing on the disk, and must not wait for room there.
final class PathNumbers {
  private static let firstUnreserved: Range<UInt64> = 1 << 48..<1 << 52
  /// So many unreserved numbers are given before the repository is asked again.
  private static let unreservedCount: UInt64 = 64

  private unowned let service: Service
  private let reserve: () throws(StoreError) -> Range<UInt64>
  private var numbers: Range<UInt64> = 0..<0
  private var unreserved = UInt64.random(in: firstUnreserved)

  /// Numbers of the ranges that `reserve` reserves within a transaction.
  init(_ service: Service, reserve: @escaping () throws(StoreError) -> Range<UInt64>) {
    self.service = service
    self.reserve = reserve
  }

  /// Returns the next number.
  ///
  /// - Throws: IOError if the call in hand rests on edits that could not be stored.
  func next() throws(DBusError) -> UInt64 {
    if numbers.isEmpty {
      try service.batch.concludeBeforeCall()
      numbers = reservedNumbers() ?? unreservedNumbers()
    }
    return numbers.removeFirst()
  }

  private func reservedNumbers() -> Range<UInt64>? {
    do throws(StoreError) {
      let reserved = try reserve()
      try service.repository.commit()
      return reserved
    } catch {
      service.repository.rollback()
      service.log.warning("a drag or a view gets a number of 15 digits or more: \(error)")
      return nil
    }
  }

  private func unreservedNumbers() -> Range<UInt64> {
    defer { unreserved += Self.unreservedCount }
    return unreserved..<unreserved + Self.unreservedCount
  }
}
