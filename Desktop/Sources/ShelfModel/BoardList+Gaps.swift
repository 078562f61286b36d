public import DragboardClient

/// Gaps between lines, which are the positions of drops. Gap 0 is above the first line.
extension BoardList {
  /// The visible part of a line.
  public struct Band: Hashable, Sendable {
    /// The index of the line in the list.
    public let index: Int
    /// The upper edge of the line.
    public let top: Double
    /// The lower edge of the line.
    public let bottom: Double

    /// Creates the band of the line at an index.
    public init(index: Int, top: Double, bottom: Double) {
      self.index = index
      self.top = top
      self.bottom = bottom
    }
  }

  /// A gap, and its vertical position.
  public struct Gap: Hashable, Sendable {
    /// The index of the line below the gap.
    public let index: Int
    /// The vertical position of the insertion line.
    public let height: Double

    /// Creates the gap above the line at an index.
    public init(index: Int, height: Double) {
      self.index = index
      self.height = height
    }
  }

  /// Returns the gap that is nearest to the pointer: above or below the line under the pointer.
  ///
  /// - Parameters:
  ///   - height: the vertical position of the pointer.
  ///   - bands: the visible lines, in any order.
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

  /// Returns the index of the closed stack under the pointer, which a drop joins; nil if the
  /// pointer is near an edge of a line, or not on a closed stack.
  public func stack(under height: Double, among bands: [Band]) -> Int? {
    bands.first { band in
      let edge = (band.bottom - band.top) / 4
      return items(at: band.index).count > 1
        && band.top + edge..<max(band.top, band.bottom - edge) ~= height
    }?.index
  }

  /// Returns the position of a gap on the board: after the row above the gap.
  ///
  /// If a header is above the gap, the position is the beginning of its section.
  ///
  /// - Parameters:
  ///   - gap: the index of the line below the gap.
  ///   - moving: the rows that are dragged within the board. The result is a position on the board
  ///     without these rows.
  /// - Returns: the position of the first dropped row.
  public func destination(of gap: Int, moving: Set<ItemID> = []) -> RowPosition {
    guard var place = place(at: min(gap, entries.count) - 1) else {
      return RowPosition(section: 0, row: 0)
    }
    let lines = entries.indices.prefix(gap)
    place.row += items(at: lines.count - 1).count
    for line in lines where self.place(at: line)?.section == place.section {
      place.row -= items(at: line).count(where: moving.contains)
    }
    return place
  }
}
