import Text

/// A safe name for a new file, made from a name that another program suggested.
///
/// A file with this name is not hidden, and is in no other directory. The name has 1 to 255 bytes,
/// does not begin with `.` or `-`, and contains no separators, controls or invisible characters.
///
/// | suggested | name |
/// | --- | --- |
/// | `report.pdf` | `report.pdf` |
/// | `.bash_profile` | `_bash_profile` |
/// | `../../x` | `_._.._x` |
/// | U+202E `cod.exe` | `cod.exe` |
/// | `👩` U+200D `💻.png` | unchanged |
///
/// Create the file with `O_EXCL` and `O_NOFOLLOW`, so that it replaces no other file. If the name
/// exists, try ``numbered(_:)``. In a shell command, quote the name.
public struct FileName: Hashable, Sendable {
  /// The maximum number of bytes of a name in UTF-8 (`NAME_MAX`).
  public static let maxByteCount = 255

  /// The name.
  public let text: String

  /// Makes a suggested name safe.
  ///
  /// - `_` replaces `/` and `\`, and a `.` or `-` at the beginning.
  /// - Controls, bidirectional controls and other invisible characters are removed, and so is white
  ///   space at both ends. A joiner between two characters outside ASCII stays, because emoji and some
  ///   scripts need it, and so does the selector of an emoji.
  /// - A name that is too long is cut before its extension.
  ///
  /// The result is nil if nothing of the name is left.
  /// - Parameter name: the suggested name.
  public init?(suggested name: String) {
    let visible = Self.visible(name).drop(while: \.isSpace)
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

  /// Returns the scalars of a name without invisible ones that change nothing.
  private static func visible(_ name: String) -> [Unicode.Scalar] {
    let scalars = Array(name.unicodeScalars)
    var visible: [Unicode.Scalar] = []
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      if !scalar.isInvisible || scalar.isNeeded(between: visible.last, and: next) {
        visible.append(scalar)
      }
    }
    return visible
  }

  /// Makes a name safe that the program itself chose; the result is `_` if nothing of the name is
  /// left.
  ///
  /// - Parameter name: the name, such as `item-1.txt`.
  public init(_ name: String) {
    self = FileName(suggested: name) ?? FileName("_", number: nil)
  }

  /// Returns the name with a number before its extension: `report-2.pdf`.
  ///
  /// - Parameter number: the number. If there is no room for it, the name is cut.
  /// - Returns: the name with the number.
  public func numbered(_ number: Int) -> FileName { FileName(text, number: number) }

  /// Inserts the number before the extension, and cuts `name` so that both have room.
  private init(_ name: String, number: Int?) {
    let pathExtension = Self.pathExtension(of: name)
    let end = (number.map { "-\($0)" } ?? "") + pathExtension
    let stem = name[..<pathExtension.startIndex]
    let start = stem.prefix(byteCount: Self.maxByteCount - end.utf8.count)
    text = (start.trimmingTrailing(\.isJoiner) + end).trimmingTrailing(\.isSpace)
  }

  /// Returns the extension of a name, including the dot; empty if the name has no extension.
  ///
  /// An extension has 1 to 16 ASCII letters and digits. A `.tar` before it is a part of it.
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

  /// Whether an invisible scalar changes the look of its neighbours: a joiner between two characters,
  /// or the selector of an emoji.
  fileprivate func isNeeded(between left: Unicode.Scalar?, and right: Unicode.Scalar?) -> Bool {
    switch value {
    case 0xFE0F: left?.properties.isEmoji == true && left?.isASCII == false
    case 0x200C, 0x200D:
      left?.canBeJoined == true && right.map { $0.canBeJoined && !$0.isInvisible } == true
    default: false
    }
  }

  /// Whether the scalar is a joiner.
  fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

  /// Whether a joiner can change the look of the character.
  private var canBeJoined: Bool {
    let category = properties.generalCategory
    let isMark = category == .nonspacingMark || category == .spacingMark
    let isShown = !properties.isDefaultIgnorableCodePoint || properties.isVariationSelector
    return !isASCII && (properties.isAlphabetic || properties.isEmoji || isMark) && isShown
  }

  /// Whether the scalar is blank: white space, or the Braille pattern without dots.
  fileprivate var isSpace: Bool { properties.isWhitespace || self == "\u{2800}" }

  fileprivate var isASCIIAlphanumeric: Bool {
    isASCII && (properties.isAlphabetic || ("0"..."9").contains(self))
  }
}

extension StringProtocol {
  /// Returns the longest prefix of whole characters that has at most `byteCount` bytes.
  ///
  /// If the first character has more bytes, the prefix ends between two of its scalars.
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

  fileprivate func trimmingTrailing(_ isTrimmed: (Unicode.Scalar) -> Bool) -> String {
    var scalars = String.UnicodeScalarView(unicodeScalars)
    while let last = scalars.last, isTrimmed(last) { scalars.removeLast() }
    return String(scalars)
  }
}
