import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// A language in which code is generated from the interfaces.
enum GeneratedLanguage: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case c, cpp, python

  var testDescription: String { rawValue }

  /// Languages whose generator is installed.
  static let available = allCases.filter(\.isAvailable)

  private var isAvailable: Bool {
    switch self {
    case .c: isInstalled("gdbus-codegen")
    case .cpp: isInstalled("qdbusxml2cpp")
    case .python: true
    }
  }
}

@Suite("Code generated from the interfaces")
struct GeneratedCodeTests {
  private static let interfaces = Checkout.path("Sources/DragboardInterface/Interfaces")

  @Test("The code compiles and calls the daemon", arguments: GeneratedLanguage.available)
  func call(language: GeneratedLanguage) throws {
    let desk = try Desk()
    let command = try program(language, in: desk)
    for text in ["garage", "stamps"] {
      let result = try desk.daemon.run(command[0], command.dropFirst() + [text])
      #expect(result.status == .exited(0), "\(result.errors)")
    }
    let result = try desk.daemon.run(command[0], command.dropFirst() + ["bread"])
    #expect(result.output == "garage (6 bytes)\nstamps (6 bytes)\nbread (5 bytes)\n")
    let texts = try desk.client.call(BoardInterface.getTexts, 0, 0, 9)
    #expect(texts == ["garage", "stamps", "bread"])
  }

  @Test("The code reports the daemon's error", arguments: GeneratedLanguage.available)
  func error(language: GeneratedLanguage) throws {
    let desk = try Desk()
    try desk.client.set(BoardInterface.maxRows, to: Variant(.uint32(1)))
    _ = try desk.client.call(BoardInterface.insertText, 0, -1, "full")
    let command = try program(language, in: desk)
    let result = try desk.daemon.run(command[0], command.dropFirst() + ["text"])
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("max-rows would be exceeded (at most 1)"))
  }

  @Test(
    "gdbus-codegen is installed",
    .enabled(if: isInstalled("gdbus-codegen"), "C is not tested: apt-get install libglib2.0-dev"))
  func gdbus() { #expect(GeneratedLanguage.available.contains(.c)) }

  @Test(
    "qdbusxml2cpp is installed",
    .enabled(if: isInstalled("qdbusxml2cpp"), "C++ is not tested: apt-get install qtbase5-dev"))
  func qt() { #expect(GeneratedLanguage.available.contains(.cpp)) }

  /// Returns the command that runs the program of a language.
  private func program(_ language: GeneratedLanguage, in desk: Desk) throws -> [String] {
    switch language {
    case .c: [try GeneratedPrograms.c.get() + "/rows-c"]
    case .cpp: [try GeneratedPrograms.cpp.get() + "/rows-cpp"]
    case .python: [Checkout.path("Examples/generated/rows.py"), Self.interfaces]
    }
  }
}

/// The directories of the programs in C and C++, which are built once in each test run.
enum GeneratedPrograms {
  static let c = Result { try build("c") }
  static let cpp = Result { try build("cpp") }

  private static func build(_ language: String) throws -> String {
    let products = URL(fileURLWithPath: try builtProduct("dragboardd")).deletingLastPathComponent()
    let folder = products.appending(path: "GeneratedExamples/\(language)").path
    let result = try run("bash", [Checkout.path("Examples/generated/build"), language, folder])
    guard result.status.isSuccess else {
      throw CompiledExamples.Failure(description: "build \(language): \(result.errors)")
    }
    return folder
  }
}
