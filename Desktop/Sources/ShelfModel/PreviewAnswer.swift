/// The answer of the process that reads a picture or a file for a preview.
///
/// The answer consists of records: a tag, the number of bytes, and the bytes. The process may end
/// in the middle of a record, for example at the limit of its memory. Then the records before it
/// are valid.
public struct PreviewAnswer: Hashable, Sendable {
  /// A picture that is scaled to the requested extent.
  public struct Picture: Hashable, Sendable {
    /// The width and the height in pixels.
    public let width, height: Int
    /// Whether a pixel has four bytes, the last of which is its opacity; otherwise it has three.
    public let hasAlpha: Bool
    /// The rows of pixels from top to bottom, without padding.
    public let bytes: [UInt8]

    /// The number of bytes in a row of pixels.
    public var stride: Int { width * (hasAlpha ? 4 : 3) }
  }

  /// The beginning of a text file.
  public struct FileText: Hashable, Sendable {
    /// The beginning.
    public let beginning: String
    /// Whether the file has more text.
    public let isCut: Bool
  }

  /// The dimensions of the original picture; 0 if it is not a picture.
  public private(set) var width = 0, height = 0
  /// The scaled picture; nil if the original is too large or is not a picture.
  public private(set) var picture: Picture?
  /// The beginning of a text file; nil for other files, and if no large preview was requested.
  public private(set) var text: FileText?
  /// The type of the file; nil if it does not exist, or if the content of a row was read.
  public private(set) var fileType: String?
  /// The name of the file's icon, in the encoding of `g_icon_to_string`.
  public private(set) var icon: String?
  /// Whether the file is a directory.
  public private(set) var isDirectory = false
  /// The size of the file in bytes.
  public private(set) var byteCount = 0

  /// Creates the answer without records.
  public init() {}

  /// Decodes an answer.
  ///
  /// - Parameters:
  ///   - bytes: the output of the process. It is not trusted, because a picture may have misled the
  ///     decoder.
  ///   - extent: the maximum width and height of the scaled picture.
  public init(_ bytes: [UInt8], extent: Int) {
    var rest = bytes[...]
    while let tag = rest.first, let count = rest.dropFirst().number(at: 0), rest.count - 5 >= count
    {
      take(tag, rest.dropFirst(5).prefix(count), extent)
      rest = rest.dropFirst(5 + count)
    }
  }

  private mutating func take(_ tag: UInt8, _ value: ArraySlice<UInt8>, _ extent: Int) {
    switch tag {
    case UInt8(ascii: "S"):
      if let width = value.number(at: 0), let height = value.number(at: 1) {
        (self.width, self.height) = (width, height)
      }
    case UInt8(ascii: "P"): picture = Picture(value, extent: extent)
    case UInt8(ascii: "X"):
      let part = value.prefix(ShownText.maxByteCount)
      text = FileText(
        beginning: String(decoding: part, as: UTF8.self), isCut: part.count < value.count)
    case UInt8(ascii: "T"): fileType = String(decoding: value, as: UTF8.self)
    case UInt8(ascii: "I"): icon = String(decoding: value, as: UTF8.self)
    case UInt8(ascii: "D"): isDirectory = true
    case UInt8(ascii: "B"): byteCount = Int(String(decoding: value, as: UTF8.self)) ?? 0
    default: break
    }
  }
}

extension PreviewAnswer.Picture {
  fileprivate init?(_ value: ArraySlice<UInt8>, extent: Int) {
    guard let width = value.number(at: 0), let height = value.number(at: 1),
      let channels = value.number(at: 2), [3, 4].contains(channels), 1...extent ~= width,
      1...extent ~= height, value.count - 12 == width * height * channels
    else { return nil }
    self.init(
      width: width, height: height, hasAlpha: channels == 4, bytes: Array(value.dropFirst(12)))
  }
}

extension ArraySlice<UInt8> {
  /// Returns one of the 32-bit numbers at the beginning, in the byte order of the network; nil if
  /// there are fewer bytes.
  fileprivate func number(at index: Int) -> Int? {
    let bytes = dropFirst(4 * index).prefix(4)
    return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
  }
}
