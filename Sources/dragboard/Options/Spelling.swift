/// The search for the word that the user has mistyped.
enum Spelling {
  /// The maximum number of wrong letters.
  private static let maxDistance = 2

  /// Returns the word with the fewest wrong letters; nil if all words have too many.
  static func closest(to typed: String, among words: [String]) -> String? {
    let limit = min(maxDistance, max(typed.count - 1, 0))
    let distances = words.map { (word: $0, distance: distance(typed, $0)) }
    let closest = distances.filter { $0.distance <= limit }.min { $0.distance < $1.distance }
    return closest?.word ?? words.first { typed.count > 1 && $0.hasPrefix(typed) }
  }

  /// Returns the number of letters to insert, delete, replace or exchange with the next letter.
  ///
  /// This is the optimal string alignment distance.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var (before, above) = ([Int](), Array(0...right.count))
    for row in left.indices {
      var line = [row + 1]
      for column in right.indices {
        let isEqual = left[row] == right[column]
        var best = min(line[column] + 1, above[column + 1] + 1, above[column] + (isEqual ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        line.append(best)
      }
      (before, above) = (above, line)
    }
    return above[right.count]
  }
}
