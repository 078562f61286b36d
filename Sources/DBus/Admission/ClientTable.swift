/// The clients that called last, by their unique names.
///
/// The bus never assigns a unique name twice, so an entry stays valid. The table has two
/// generations of clients: recent and earlier clients. A client that calls becomes a recent client.
/// When there are too many recent clients, the earlier clients are forgotten, and the recent
/// clients become earlier clients. A client that is in use is never forgotten.
struct ClientTable {
  /// The number of clients in one generation.
  private static let generationSize = 2_048

  private var recent: [String: ClientQueue] = [:]
  private var earlier: [String: ClientQueue] = [:]
  /// The number of clients that entered the recent generation because they are in use.
  private var keptCount = 0

  subscript(name: String) -> ClientQueue? { recent[name] ?? earlier[name] }

  /// Returns the calling client with this name; adds it if it is unknown.
  mutating func find(_ name: String) -> ClientQueue {
    if let client = recent[name] { return client }
    let client = earlier[name] ?? ClientQueue(name)
    insert(client)
    return client
  }

  func first(where condition: (ClientQueue) -> Bool) -> ClientQueue? {
    recent.values.first(where: condition) ?? earlier.values.first(where: condition)
  }

  /// Returns the clients for which a condition is true.
  func all(where condition: (ClientQueue) -> Bool) -> [ClientQueue] {
    earlier.merging(recent) { $1 }.values.filter(condition)
  }

  mutating func remove(_ name: String) {
    recent[name] = nil
    earlier[name] = nil
  }

  /// Adds a calling client to the recent generation.
  mutating func insert(_ client: ClientQueue) {
    if recent.count >= Self.generationSize + keptCount {
      let kept = earlier.filter { recent[$0.key] == nil && $0.value.isInUse }
      (earlier, recent, keptCount) = (recent, kept, kept.count)
    }
    recent[client.name] = client
  }
}
