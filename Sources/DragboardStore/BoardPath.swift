/// The last component of a board's object path.
package enum BoardPath {
  /// Returns whether a string is a valid element of an object path, with only letters, digits and
  /// `_`.
  package static func isValid(_ path: String) -> Bool {
    !path.isEmpty
      && path.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
