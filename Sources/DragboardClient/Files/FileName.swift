import DragboardInterface

/// The safe name of a file that is created under a name that another program suggested.
///
/// The file is visible and in the directory itself: its name has 1 to 255 bytes, does not begin with
/// `.` or `-`, and has no separator, no control and no invisible character.
///
/// | suggested | name |
/// | --- | --- |
/// | `report.pdf` | `report.pdf` |
/// | `.bash_profile` | `_bash_profile` |
/// | `../../x` | `_._.._x` |
/// | U+202E `cod.exe` | `cod.exe` |
///
/// Create the file with `O_EXCL` and `O_NOFOLLOW`, so that it replaces nothing; if the name exists,
/// try ``numbered(_:)``. The name is data: a shell needs it quoted.
public struct FileName: Hashable, Sendable {
  /// Maximum number of bytes of a name, in UTF-8 (`NAME_MAX`).
  public static let maxByteCount = 255

  /// The name.
  public let text: String

  /// Makes a suggested name safe.
  ///
  /// - `/` and `\` become `_`, and so does a `.` or `-` at the beginning.
  /// - Controls, bidirectional controls and other invisible characters are removed, and white space
  ///   at both ends.
  /// - A name that is too long is cut before its extension.
  ///
  /// The result is nil if nothing of the name is left.
  /// - Parameter name: the name as it was suggested.
  public init?(suggested name: String) {
    let visible = name.unicodeScalars.filter { !$0.isInvisible }.drop(while: \.isSpace)
    let text = visible.enumerated().map { (position, scalar) -> Unicode.Scalar in
      switch scalar {
      case "/", "\\": "_"
      case ".", "-": position == 0 ? "_" : scalar
      default: scalar
      }
    }
    self.init(String(String.UnicodeScalarView(text)), number: nil)
    if self.text.isEmpty { return nil }
  }

  /// Makes a name safe that the program itself has composed; `_` if nothing of it is left.
  ///
  /// - Parameter name: the name, such as `item-1.txt`.
  public init(_ name: String) {
    self = FileName(suggested: name) ?? FileName("_", number: nil)
  }

  /// Returns the name with a number before its extension: `report-2.pdf`.
  ///
  /// - Parameter number: the number; a name that leaves no room for it is cut.
  /// - Returns: the name with the number.
  public func numbered(_ number: Int) -> FileName { FileName(text, number: number) }

  /// Cuts `name` so that it has room for its extension and the number before it.
  private init(_ name: String, number: Int?) {
    let pathExtension = Self.pathExtension(of: name)
    let end = (number.map { "-\($0)" } ?? "") + pathExtension
    let stem = name[..<pathExtension.startIndex]
    text = (stem.prefix(byteCount: Self.maxByteCount - end.utf8.count) + end).trimmingTrailingSpace
  }

  /// Returns the extension of a name with its dot; it is empty if there is none.
  ///
  /// An extension has 1 to 16 ASCII letters and digits; `.tar` before it belongs to it.
  private static func pathExtension(of name: String) -> Substring {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return name[name.endIndex...]
    }
    let letters = name[dot...].unicodeScalars.dropFirst()
    guard 1...16 ~= letters.count, letters.allSatisfy(\.isASCIIAlphanumeric) else {
      return name[name.endIndex...]
    }
    let archive = name[..<dot].utf8.suffix(4)
    guard archive.elementsEqual(".tar".utf8), archive.startIndex > name.startIndex else {
      return name[dot...]
    }
    return name[archive.startIndex...]
  }
}

extension FileName: CustomStringConvertible {
  /// The name.
  public var description: String { text }
}

extension Unicode.Scalar {
  fileprivate var isInvisible: Bool { isDeceptive || properties.isVariationSelector }

  /// Whether the scalar is blank: white space, or the Braille pattern without dots.
  fileprivate var isSpace: Bool { properties.isWhitespace || self == "\u{2800}" }

  fileprivate var isASCIIAlphanumeric: Bool {
    isASCII && (properties.isAlphabetic || ("0"..."9").contains(self))
  }
}

extension StringProtocol {
  /// The longest prefix of whole characters that has at most `byteCount` bytes.
  ///
  /// A first character that has more is cut between scalars.
  fileprivate func prefix(byteCount: Int) -> String {
    var count = 0
    let characters = prefix {
      count += $0.utf8.count
      return count <= byteCount
    }
    guard characters.isEmpty else { return String(characters) }
    count = 0
    let scalars = unicodeScalars.prefix {
      count += UTF8.width($0)
      return count <= byteCount
    }
    return String(String.UnicodeScalarView(scalars))
  }

  fileprivate var trimmingTrailingSpace: String {
    var scalars = String.UnicodeScalarView(unicodeScalars)
    while scalars.last?.isSpace == true { scalars.removeLast() }
    return String(scalars)
  }
}
