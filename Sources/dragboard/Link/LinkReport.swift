import FoundationEssentials

/// The output of `dragboard-link status --json`.
struct LinkReport: Decodable {
  /// The name of the program.
  static let program = "dragboard-link"

  struct Board: Decodable {
    let name: String
    let pending: Int?
    let error: String?
    let waiting: Bool?
    let arriving: Int?
  }

  struct Drags: Decodable {
    let enabled: Bool
    let rejected: UInt64?
  }

  let machine: String
  let running: Bool
  /// Whether the service is older than the installed program.
  let outdated: Bool?
  let machines: [String]?
  let boards: [Board]
  let drags: Drags?
  let error: String?

  /// Decodes the first line of an output; nil if it is not a report.
  init?(_ output: [UInt8]) {
    let object = output.prefix { $0 != UInt8(ascii: "\n") }
    guard let report = try? JSONDecoder().decode(LinkReport.self, from: Data(object)) else {
      return nil
    }
    self = report
  }
}
