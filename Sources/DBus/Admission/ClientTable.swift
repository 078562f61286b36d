/// The clients that called last, by their unique names.
///
/// A unique name is never used again, so an entry stays right. A client is forgotten when thousands
/// of others have called since its last call, unless calls of it wait.
struct ClientTable {
  /// The number of clients in one generation.
  private static let generationSize = 2_048

  private var recent: [String: ClientQueue] = [:]
  private var earlier: [String: ClientQueue] = [:]
  /// The number of recent clients that were kept because calls of them wait.
  private var keptCount = 0

  subscript(name: String) -> ClientQueue? { recent[name] ?? earlier[name] }

  /// Returns the client of that name, which calls now; adds it if it is unknown.
  mutating func find(_ name: String) -> ClientQueue {
    if let client = recent[name] { return client }
    let client = earlier[name] ?? ClientQueue(name)
    insert(client)
    return client
  }

  func first(where condition: (ClientQueue) -> Bool) -> ClientQueue? {
    recent.values.first(where: condition) ?? earlier.values.first(where: condition)
  }

  mutating func remove(_ name: String) {
    recent[name] = nil
    earlier[name] = nil
  }

  /// Adds a client, which calls now.
  mutating func insert(_ client: ClientQueue) {
    if recent.count >= Self.generationSize + keptCount {
      let kept = earlier.filter { recent[$0.key] == nil && $0.value.isWaiting }
      (earlier, recent, keptCount) = (recent, kept, kept.count)
    }
    recent[client.name] = client
  }
}
