/// The limits of one shared resource, and its use by each client.
///
/// A resource has three limits: for each connection, for all connections of one sandbox, and in
/// total. An application can open any number of connections, so the limit per connection does not
/// limit an application. The limit per sandbox is a fixed share of the total (``share(of:)``): a
/// sandboxed application cannot exhaust a resource, however often it connects.
///
/// A single use may exceed the limit of bytes if the holder uses nothing else. So a large call is
/// possible.
///
/// Source of the idea: `src/util/user.c` of dbus-broker, which accounts for every resource with one
/// type.
public final class Quota {
  /// Returns the part of a total that the connections of one sandbox may use together: a quarter.
  ///
  /// A sandboxed application therefore leaves room for others in every resource.
  public static func share(of total: Int) -> Int { total == .max ? .max : max(1, total / 4) }

  /// The maximum amounts of a resource that can be used at the same time.
  public struct Limit: Sendable {
    let calls: Int
    let bytes: Int
    let descriptors: Int

    /// Creates a limit; an omitted amount is unlimited.
    public init(calls: Int = .max, bytes: Int = .max, descriptors: Int = .max) {
      (self.calls, self.bytes, self.descriptors) = (calls, bytes, descriptors)
    }

    /// The share of one sandbox.
    var share: Limit {
      Limit(
        calls: Quota.share(of: calls), bytes: Quota.share(of: bytes),
        descriptors: Quota.share(of: descriptors))
    }
  }

  /// A connection that uses a resource.
  public struct Holder: Hashable, Sendable {
    /// The unique name of the connection.
    public let connection: String
    /// The sandbox of the connection; nil if it has none.
    public let sandbox: String?

    /// Creates a holder.
    public init(connection: String, sandbox: String? = nil) {
      (self.connection, self.sandbox) = (connection, sandbox)
    }
  }

  /// The maximum number of bytes of a first use that ignores the total.
  private static let maxReservedBytes = 16 << 10

  /// The name of the quota; its errors begin with the name.
  public let name: String
  /// The use by all clients together.
  public private(set) var usage = Cost()
  private let reservesFirst: Bool
  private let advice: String
  private let (perConnection, perSandbox, total): (Limit, Limit, Limit)
  private var connections: [String: Cost] = [:]
  private var sandboxes: [String: Cost] = [:]

  /// Creates an unused quota.
  ///
  /// - Parameters:
  ///   - name: the name that errors begin with.
  ///   - perConnection: the maximum use by one connection.
  ///   - share: the maximum use by all connections of one sandbox; by default a quarter of the
  ///     total.
  ///   - total: the maximum use by all connections.
  ///   - reservesFirst: whether the first use of a sandbox, or of a connection without a sandbox,
  ///     ignores the total if it has few bytes.
  ///   - advice: the advice to a refused client, at the end of an error.
  public init(
    _ name: String, perConnection: Limit = Limit(), share: Limit? = nil, total: Limit,
    reservesFirst: Bool = false, advice: String
  ) {
    (self.name, self.reservesFirst, self.advice) = (name, reservesFirst, advice)
    (self.perConnection, perSandbox, self.total) = (perConnection, share ?? total.share, total)
  }

  /// Whether the total has no room for a cost.
  public func isUsedUp(for cost: Cost) -> Bool { !total.allows(cost, beside: usage) }

  /// Returns the use by one connection.
  public func usage(ofConnection name: String) -> Cost {
    connections.isEmpty ? Cost() : connections[name] ?? Cost()
  }

  /// Whether a cost fits into all limits.
  public func hasRoom(for cost: Cost, of holder: Holder) -> Bool {
    uses(of: holder, beside: cost).allSatisfy { $0.limit.allows(cost, beside: $0.usage) }
  }

  /// Checks that a cost fits into all limits.
  ///
  /// - Throws: LimitsExceeded if it does not, with the quota's name, the use and the limit.
  public func check(_ cost: Cost, for holder: Holder) throws(DBusError) {
    for (who, usage, limit) in uses(of: holder, beside: cost)
    where !limit.allows(cost, beside: usage) {
      throw DBusError(
        .limitsExceeded,
        "\(name): \(who) \(usage.described(within: limit)) (at most \(limit)); \(advice)")
    }
  }

  /// Charges a cost to a holder.
  ///
  /// - Throws: LimitsExceeded if the cost does not fit into all limits; nothing is charged then.
  public func charge(_ cost: Cost, to holder: Holder) throws(DBusError) {
    try check(cost, for: holder)
    count(holder) { $0 + cost }
  }

  /// Releases a cost that was charged to the same holder.
  public func release(_ cost: Cost, from holder: Holder) { count(holder) { $0 - cost } }

  private func count(_ holder: Holder, _ change: (Cost) -> Cost) {
    func changed(_ cost: Cost?) -> Cost? {
      let cost = change(cost ?? Cost())
      return cost == Cost() ? nil : cost
    }
    connections[holder.connection] = changed(connections[holder.connection])
    if let sandbox = holder.sandbox { sandboxes[sandbox] = changed(sandboxes[sandbox]) }
    usage = change(usage)
  }

  /// The use and the limit of the connection, of its sandbox, and of all clients.
  private func uses(
    of holder: Holder, beside cost: Cost
  ) -> [(who: String, usage: Cost, limit: Limit)] {
    var own = usage(ofConnection: holder.connection)
    var uses = [("the client has", own, perConnection)]
    if let sandbox = holder.sandbox {
      own = sandboxes[sandbox] ?? Cost()
      uses.append(("the client's sandbox has", own, perSandbox))
    }
    if !reservesFirst || own != Cost() || cost.bytes > Self.maxReservedBytes {
      uses.append(("all clients have", usage, total))
    }
    return uses
  }
}

extension Quota.Limit: CustomStringConvertible {
  fileprivate func allows(_ cost: Cost, beside usage: Cost) -> Bool {
    let sum = usage + cost
    return sum.calls <= calls && sum.descriptors <= descriptors
      && (sum.bytes <= bytes || usage == Cost())
  }

  /// The limits, each with its unit.
  public var description: String {
    Cost(calls: calls, bytes: bytes, descriptors: descriptors).described(within: self)
  }
}

extension Cost {
  /// The amounts that have a limit, each with its unit.
  fileprivate func described(within limit: Quota.Limit) -> String {
    let amounts = [
      (calls, limit.calls, "calls"), (descriptors, limit.descriptors, "open files"),
      (bytes, limit.bytes, "bytes"),
    ]
    return amounts.filter { $0.1 != .max }.map { "\($0.0) \($0.2)" }.joined(separator: ", ")
  }
}
