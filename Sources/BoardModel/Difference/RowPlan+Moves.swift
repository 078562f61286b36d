// Where each moved row stands at its turn.

extension RowPlan {
  /// A place that a moved row leaves, or is put into.
  private struct Slot {
    /// The row, as offset in `entries`.
    let offset: Int

    /// The section, as index in `parts`.
    let part: Int

    /// How many rows of the section that stay are before it.
    let stayingBefore: Int

    /// Its place among the slots of all sections, in order.
    let number: Int
  }

  /// The slots of all sections.
  private struct Slots {
    /// Those that are left, in the order of `entries`.
    var departures: [Slot] = []

    /// Those that are put into, in the order in which rows are wanted.
    var arrivals: [Slot] = []

    /// By section: the number of its first slot.
    var firsts: [Int] = []

    /// How many there are.
    var count: Int { departures.count + arrivals.count }
  }

  /// Appends the moves that remain after the deletions.
  ///
  /// Each row is put behind the wanted one before it. O((rows + moves) log moves).
  func tellMoves(to changes: inout [Change]) {
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

  /// The slots, numbered along each section: between two rows that stay, those that are put into
  /// come before those that are left.
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
