public import DragboardClient

/// Gaps between lines, where a drop can go: gap 0 is above the first line.
extension BoardList {
  /// Where a line is shown, as far as it is.
  public struct Band: Hashable, Sendable {
    /// Its index in the list.
    public let index: Int
    /// Its upper edge.
    public let top: Double
    /// Its lower edge.
    public let bottom: Double

    /// The line of that index, shown there.
    public init(index: Int, top: Double, bottom: Double) {
      self.index = index
      self.top = top
      self.bottom = bottom
    }
  }

  /// A gap, and the height at which it is shown.
  public struct Gap: Hashable, Sendable {
    /// The index of the line below it.
    public let index: Int
    /// Where the insertion line is drawn.
    public let height: Double

    /// The gap above the line of that index, shown there.
    public init(index: Int, height: Double) {
      self.index = index
      self.height = height
    }
  }

  /// The gap that is meant by a pointer: the edge that is nearer, of the line that it is over.
  ///
  /// - Parameters:
  ///   - height: where the pointer is.
  ///   - bands: the lines that are shown, in any order.
  /// - Returns: the gap.
  public func gap(at height: Double, among bands: [Band]) -> Gap {
    let bands = bands.sorted { $0.top < $1.top }
    guard let band = bands.last(where: { $0.top <= height }) ?? bands.first else {
      return Gap(index: 0, height: 0)
    }
    if height < (band.top + band.bottom) / 2, band.index > 0 || item(at: 0) != nil {
      return Gap(index: band.index, height: band.top)
    }
    return Gap(index: band.index + 1, height: band.bottom)
  }

  /// What a gap is on the board: below the row above it, or at the beginning of the section whose header is above it.
  ///
  /// - Parameters:
  ///   - gap: the index of the line below it.
  ///   - moving: rows that are dragged within the board: the place is one of the board without them.
  /// - Returns: where the first row shall stand.
  public func destination(of gap: Int, moving: Set<ItemID> = []) -> RowPosition {
    guard var place = place(at: min(gap, entries.count) - 1) else {
      return RowPosition(section: 0, row: 0)
    }
    let lines = entries.indices.prefix(gap)
    if item(at: lines.count - 1) != nil { place.row += 1 }
    place.row -= lines.count { line in
      self.place(at: line)?.section == place.section
        && item(at: line).map(moving.contains) ?? false
    }
    return place
  }
}
