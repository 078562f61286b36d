/// Returns the offsets of a longest increasing subsequence, ascending.
///
/// To sort `values` with the fewest moves, move the other elements. The values are distinct. O(n
/// log n), by patience sorting; O(n) if almost all values ascend.
func longestIncreasingSubsequence(of values: [Int]) -> [Int] {
  var ends: [Int] = []  // ends[k]: the offset of the least value that ends a subsequence of k + 1
  var previous: [Int] = []  // by offset: the offset before it in its subsequence, -1 for none
  previous.reserveCapacity(values.count)
  for (offset, value) in values.enumerated() {
    let isLast = ends.last.map { values[$0] < value } ?? true
    let length = isLast ? ends.count : partitionPoint(of: ends) { values[$0] < value }
    previous.append(length > 0 ? ends[length - 1] : -1)
    if length == ends.count { ends.append(offset) } else { ends[length] = offset }
  }
  var result: [Int] = []
  result.reserveCapacity(ends.count)
  var offset = ends.last ?? -1
  while offset >= 0 {
    result.append(offset)
    offset = previous[offset]
  }
  return result.reversed()
}

/// Returns the number of elements that satisfy the predicate; they must come before all others.
func partitionPoint<Element>(of elements: [Element], where passes: (Element) -> Bool) -> Int {
  var low = 0
  var high = elements.count
  while low < high {
    let middle = (low + high) / 2
    if passes(elements[middle]) { low = middle + 1 } else { high = middle }
  }
  return low
}
