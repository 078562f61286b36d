extension String {
  /// The text in quotes for a message, with controls escaped, cut after 60 Unicode scalars.
  public var quoted: String {
    let start = String(unicodeScalars.prefix(60))
    let isWhole = start.utf8.count == utf8.count
    return WireText.sanitized(isWhole ? start : start + "…").debugDescription
  }
}
