import DragboardClient

/// The rows that the beginning of a word can name, on a board of any size.
struct RowCandidates {
  private let board: Board
  private static let maxCount = 100
  /// The length of an id's prefix that is usually unique among a million ids.
  private static let idPrefixLength = 13

  init(of board: Board) { self.board = board }

  /// Returns the rows whose position or id begins with `beginning`.
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

  /// Returns the rows of a section whose index begins with `digits`.
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

  /// Returns the numbers that begin with `digits` and have at most one digit more: 12, 120 to 129.
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
