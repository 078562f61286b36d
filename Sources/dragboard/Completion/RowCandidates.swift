import DragboardClient

/// The rows that the beginning of a row's name can mean, of a board of any size.
struct RowCandidates {
  private let board: Board
  private static let maxCount = 100
  /// Length of a prefix that is usually unique among a million ids.
  private static let idPrefixLength = 13

  init(of board: Board) { self.board = board }

  /// The rows whose place or id begins so.
  func candidates(for beginning: String) async throws -> [Candidate] {
    let names = try await board.info().sections
    var candidates: [Candidate] = []
    for (section, name) in names.enumerated() where candidates.count < Self.maxCount {
      let start = section == 0 ? "" : "\(name):"
      if beginning.hasPrefix(start) {
        candidates += try await rows(of: section, names, String(beginning.dropFirst(start.count)))
      } else if start.hasPrefix(beginning) {
        candidates += try await rows(of: section, names, "")
      }
    }
    return candidates + (candidates.isEmpty ? try await ids(beginning) : [])
  }

  /// The rows of a section whose number begins with those digits.
  private func rows(
    of section: Int, _ names: [String], _ digits: String
  ) async throws -> [Candidate] {
    var candidates: [Candidate] = []
    for range in Self.ranges(of: digits) {
      let rows = range.lowerBound..<min(range.upperBound, range.lowerBound + Self.maxCount)
      var pages = BoardPages(
        board, sections: section..<section + 1, from: rows.lowerBound, count: rows.count)
      while let page = try await pages.page(count: rows.count) {
        candidates += page.placed(names).map { Candidate($0.place, $0.text) }
      }
    }
    return candidates
  }

  /// The useful numbers that begin with some digits: 12, then 120 to 129.
  private static func ranges(of digits: String) -> [Range<Int>] {
    guard !digits.isEmpty else { return [0..<maxCount] }
    guard let number = Int(digits), "\(number)" == digits, number < 100_000_000 else { return [] }
    return [number..<number + 1] + (number == 0 ? [] : [number * 10..<number * 10 + 10])
  }

  private func ids(_ beginning: String) async throws -> [Candidate] {
    guard case .prefix(let prefix)? = RowName(argument: beginning)?.meaning else { return [] }
    let items = try await board.snapshot().sections.lazy.flatMap(\.items)
    return items.map(\.description).filter { $0.hasPrefix(prefix) }.prefix(Self.maxCount).map {
      Candidate(String($0.prefix(max(Self.idPrefixLength, prefix.count))))
    }
  }
}
