import CGettext

/// The translations of the shelf's texts: GNU gettext's domain `dragboard-shelf`.
public enum Localization {
  /// The name of the domain.
  public static let domain = "dragboard-shelf"

  /// Uses the translations in a directory: `de/LC_MESSAGES/dragboard-shelf.mo` and others.
  public static func read(in directory: String) {
    bindtextdomain(domain, directory)
    bind_textdomain_codeset(domain, "UTF-8")
  }
}

/// Returns the translation of a text with values in place of `%1` and `%2`.
public func localized(_ text: String, _ values: String...) -> String {
  // If there is no translation, gettext returns its argument. Then the pointers are equal.
  let found = text.withCString { text in
    String(cString: dgettext(Localization.domain, text) ?? UnsafeMutablePointer(mutating: text))
  }
  return found.filling(in: values)
}

/// Returns the translation of a text with a number in place of `%1`, in its plural form.
public func counted(_ one: String, _ several: String, _ count: Int) -> String {
  let found = one.withCString { one in
    several.withCString { several in
      let found = dngettext(Localization.domain, one, several, UInt(clamping: count))
      return String(cString: found ?? UnsafeMutablePointer(mutating: several))
    }
  }
  return found.filling(in: ["\(count)"])
}

extension String {
  /// Returns the text with values in place of `%1`, `%2` and so on.
  ///
  /// A `%` in a value has no effect.
  fileprivate func filling(in values: [String]) -> String {
    var (text, rest) = ("", self[...])
    while let mark = rest.firstIndex(of: "%") {
      text += rest[..<mark]
      rest = rest[mark...].dropFirst()
      if let number = rest.first?.wholeNumberValue, values.indices ~= number - 1 {
        text += values[number - 1]
        rest = rest.dropFirst()
      } else {
        text += "%"
      }
    }
    return text + rest
  }
}
