import Files
import Foundation
import TestSupport
import Testing

@testable import dragboardd

@Suite("The setting sandboxed-read")
struct SandboxedReadTests {
  private func read(
    _ arguments: [String] = [], _ variables: [String: String] = [:]
  ) throws(Configuration.Fault) -> Bool? {
    let environment = Environment(["HOME": "/nowhere"].merging(variables) { $1 })
    guard
      case .run(let configuration) = try Configuration.read(
        arguments: arguments, environment: environment)
    else { return nil }
    return configuration.sandboxedRead
  }

  @Test("The setting is off unless an option or a variable enables it; the option wins")
  func places() throws {
    #expect(try read() == false)
    #expect(try read(["--sandboxed-read", "true"]) == true)
    #expect(try read(["--sandboxed-read=true"]) == true)
    #expect(try read(["--sandboxed-read"]) == true)
    #expect(try read(["--sandboxed-read", "--max-rows", "5"]) == true)
    #expect(try read(["--sandboxed-read", "false"]) == false)
    for (value, isOpen) in [("true", true), ("1", true), ("false", false), ("off", false)] {
      #expect(try read([], ["DRAGBOARD_SANDBOXED_READ": value]) == isOpen)
    }
    #expect(
      try read(["--sandboxed-read", "false"], ["DRAGBOARD_SANDBOXED_READ": "true"]) == false)
  }

  @Test("The configuration file enables the setting, without quotes")
  func file() throws {
    let bus = try PrivateBus()
    func read(_ text: String) throws -> Bool? {
      try bus.configure(text)
      return try self.read([], ["XDG_CONFIG_HOME": bus.home.path + "/config"])
    }
    #expect(try read("sandboxed-read = true # for the shelf\n") == true)
    #expect(try read("sandboxed-read = false\n") == false)
    let fault = #expect(throws: Configuration.Fault.self) {
      _ = try read("sandboxed-read = \"true\"\n")
    }
    #expect(fault?.description.contains("line 1: sandboxed-read must be true or false") == true)
  }

  @Test(
    "Any other value is refused, and the error names it", arguments: ["", "maybe", "2", "TRUE"])
  func malformed(value: String) {
    for body in [
      { try read(["--sandboxed-read", value]) },
      { try read([], ["DRAGBOARD_SANDBOXED_READ": value.isEmpty ? " " : value]) },
    ] as [() throws -> Bool?] {
      let fault = #expect(throws: Configuration.Fault.self) { _ = try body() }
      #expect(fault?.description.contains("is not a boolean (expected true or false)") == true)
    }
  }
}
