import DragModel
import enum DragboardClient.SecretMark

/// The requests that fetch a copy.
///
/// The owner of the clipboard offers its types by names. The plan selects the names to request.
public struct ClipboardCopyPlan: Hashable, Sendable {
  /// A representation to fetch.
  public struct Request: Hashable, Sendable {
    /// The name by which the owner offers the bytes.
    public var name: String
    /// The type under which the bytes are stored, in normal form.
    public let type: String

    /// Whether the bytes are a plain text, which is stored in UTF-8.
    public var isText: Bool { type == MIMEType.plainText.mime }
  }

  /// The reason why a copy must not be fetched.
  public enum Refusal: Error, Hashable, Sendable {
    /// The owner has marked the copy as a secret.
    case secret
    /// None of the names is a MIME type or a name for plain text.
    case noTypes
    /// There are more names than the plan examines. Any of the remaining names could mark a secret.
    case tooManyNames
  }

  /// The maximum number of names that are examined.
  public static let maxNames = 256

  /// The maximum number of representations.
  ///
  /// A message of the bus has room for 16 descriptors, one for each representation.
  public static let maxRequests = 16
  /// The maximum number of bytes of all representations.
  public static let maxByteCount = 64 << 20

  /// The requests in the order of the owner's names.
  public let requests: [Request]

  /// Plans the requests for a copy.
  ///
  /// - Parameter names: the names that the owner offers, in its order.
  /// - Throws: `Refusal` if the copy must not be fetched.
  public init(offering names: [String]) throws(Refusal) {
    guard names.count <= Self.maxNames else { throw .tooManyNames }
    guard !names.contains(where: SecretMark.marks) else { throw .secret }
    var requests: [Request] = []
    var textRank = Int.max
    for name in names {
      if let rank = TextTarget.rank(of: name) {
        guard rank < textRank else { continue }
        textRank = rank
        let request = Request(name: name, type: MIMEType.plainText.mime)
        if let index = requests.firstIndex(where: \.isText) {
          requests[index] = request
        } else {
          requests.append(request)
        }
      } else if name.contains("/"), let type = try? MIMEType(parsing: name).mime,
        !requests.contains(where: { $0.type == type })
      {
        requests.append(Request(name: name, type: type))
      }
    }
    guard !requests.isEmpty else { throw .noTypes }
    self.requests = Array(requests.prefix(Self.maxRequests))
  }
}
