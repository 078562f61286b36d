/// Waiting jobs, in one queue for each client.
///
/// The clients take turns.
struct RoundRobin<Job> {
  private var queues: [String: [Job]] = [:]
  /// The clients with waiting jobs, the next one first.
  private var turns: [String] = []

  var isEmpty: Bool { turns.isEmpty }

  /// The number of waiting jobs.
  var count: Int { queues.values.reduce(0) { $0 + $1.count } }

  mutating func append(_ job: Job, of client: String) {
    if queues[client] == nil { turns.append(client) }
    queues[client, default: []].append(job)
  }

  /// Removes and returns the first job of the next client whose first job can start.
  ///
  /// O(clients).
  mutating func take(where canStart: (String, Job) -> Bool) -> Job? {
    for (index, client) in turns.enumerated() {
      guard let job = queues[client]?.first, canStart(client, job) else { continue }
      turns.remove(at: index)
      queues[client]?.removeFirst()
      if queues[client]?.isEmpty == true { queues[client] = nil } else { turns.append(client) }
      return job
    }
    return nil
  }
}
