// The position of each moved row at the time of its move.

extension RowPlan {
  /// A position that a moved row leaves or enters.
  private struct Slot {
    /// The row, as an offset in `entries`.
    let offset: Int

    /// The section, as an index in `parts`.
    let part: Int

    /// The number of rows before the slot, in its section, that are not moved.
    let stayingBefore: Int

    /// The number of the slot among the slots of all sections, in order.
    let number: Int
  }

  private struct Slots {
    /// The slots that rows leave, in the order of `entries`.
    var departures: [Slot] = []

    /// The slots that rows enter, in the wanted order.
    var arrivals: [Slot] = []

    /// For each section, the number of its first slot.
    var firsts: [Int] = []

    var count: Int { departures.count + arrivals.count }
  }

  /// Appends the moves that remain after the deletions.
  ///
  /// Each row moves behind its predecessor in the wanted order. O((rows + moves) log moves).
  func appendMoves(to changes: inout [Change]) {
    guard moveCount > 0 else { return }
    let slots = slots()
    var taken = OccupancyTree(count: slots.count)
    var departures = [UInt32](repeating: 0, count: entries.count)
    for (index, slot) in slots.departures.enumerated() {
      taken.take(slot.number)
      departures[slot.offset] = UInt32(truncatingIfNeeded: index)
    }
    changes.reserveCapacity(changes.count + moveCount)
    for arrival in slots.arrivals {
      let departure = slots.departures[Int(departures[arrival.offset])]
      let source = path(of: departure, slots, taken)
      taken.free(departure.number)
      let destination = path(of: arrival, slots, taken)
      taken.take(arrival.number)
      changes.append(.move(entries[arrival.offset].row, from: source, to: destination))
    }
  }

  private func path(of slot: Slot, _ slots: Slots, _ taken: OccupancyTree) -> IndexPath {
    let part = parts[slot.part]
    let moved = taken.takenCount(in: slots.firsts[slot.part]..<slot.number)
    return IndexPath(section: part.index, row: part.prefix + slot.stayingBefore + moved)
  }

  /// Returns the slots, numbered along each section.
  ///
  /// Between two rows that stay, the slots of arrivals come before the slots of departures.
  private func slots() -> Slots {
    var slots = Slots()
    for (index, part) in parts.enumerated() {
      slots.firsts.append(slots.count)
      var staying = 0
      var row = part.rows.lowerBound
      func slot(_ offset: Int) -> Slot {
        Slot(offset: offset, part: index, stayingBefore: staying, number: slots.count)
      }
      func leave(upTo end: Int) {
        for offset in row..<end where isWanted[offset] { slots.departures.append(slot(offset)) }
      }
      for offset in targets[part.wanted] {
        guard stays[offset] else {
          slots.arrivals.append(slot(offset))
          continue
        }
        leave(upTo: offset)
        row = offset + 1
        staying += 1
      }
      leave(upTo: part.rows.upperBound)
    }
    return slots
  }
}
