import DBus
import DragboardInterface

extension ObjectPath {
  /// The path without its last element.
  var parent: String { text.lastIndex(of: "/").map { String(text[..<$0]) } ?? text }

  /// The number at the end of the path; nil if the last element is not a number.
  var number: UInt64? { text.split(separator: "/").last.flatMap { UInt64($0) } }
}

extension Dragboard {
  static let boardParent = "\(root.text)/board"
  static let sessionParent = "\(root.text)/session"
  static let viewParent = "\(root.text)/view"
}

extension BoardID {
  init(_ path: ObjectPath) { self.init(path: path.text) }
  var objectPath: ObjectPath { ObjectPath(unchecked: path) }
}

extension SessionID {
  init(_ path: ObjectPath) throws(DragboardError) {
    guard let number = path.number else { throw .malformed("session path '\(path)'") }
    self.init(number)
  }
  var objectPath: ObjectPath { Dragboard.sessionPath(number) }
}

extension ViewID {
  init(_ path: ObjectPath) throws(DragboardError) {
    guard let number = path.number else { throw .malformed("view path '\(path)'") }
    self.init(number)
  }
  var objectPath: ObjectPath { Dragboard.viewPath(number) }
}
