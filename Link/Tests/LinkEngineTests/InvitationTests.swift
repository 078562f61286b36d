import Glibc
import LinkModel
import Testing

@testable import LinkEngine

@Suite("Invitations and the configuration")
struct InvitationTests {
  let server: ServerAddress
  let keys = GroupKeys.random()
  let invitation: Invitation

  init() throws {
    server = try ServerAddress(
      url: "tls://host:4222", certificates: "-----BEGIN CERTIFICATE-----\nAAAA\n", user: "ann",
      password: "pass word")
    keys.add(.random(epoch: 2))
    let head = ChainHead(number: 7, hash: Sodium.random(32), epoch: 2)
    invitation = Invitation(
      server: server, keys: keys, anchors: [keys.id: head, LogID.random(): head])
  }

  @Test("A line has the server, the keys and the anchors")
  func roundTrip() throws {
    let line = invitation.line
    #expect(!line.contains { $0.isWhitespace || $0.isNewline })
    #expect(line.hasPrefix("dragboard-link-1."))
    #expect(try Invitation(line: line) == invitation)
    #expect(try Invitation(line: "  \(line)\n") == invitation)
  }

  @Test("A line with any altered or missing character is refused")
  func damaged() {
    let line = invitation.line
    for index in line.indices {
      var altered = line
      let other: Character = line[index] == "x" ? "y" : "x"
      altered.replaceSubrange(index...index, with: [other])
      #expect(throws: Invitation.Problem.self) { try Invitation(line: altered) }
      #expect(throws: Invitation.Problem.self) { try Invitation(line: String(line[..<index])) }
    }
    #expect(throws: Invitation.Problem.damaged) { try Invitation(line: line + "A") }
  }

  @Test("Another text and a later version each have a separate error")
  func kinds() {
    #expect(throws: Invitation.Problem.unknown) { try Invitation(line: "") }
    #expect(throws: Invitation.Problem.unknown) { try Invitation(line: "nats://host") }
    #expect(throws: Invitation.Problem.damaged) { try Invitation(line: "dragboard-link-1.") }
    #expect(throws: Invitation.Problem.laterVersion) {
      try Invitation(line: "dragboard-link-3.AAA")
    }
  }

  @Test("base64url has one text for each sequence of bytes")
  func base64() {
    let samples: [(String, [UInt8])] = [
      ("", []), ("Zg", [0x66]), ("Zm8", [0x66, 0x6f]), ("Zm9v", [0x66, 0x6f, 0x6f]),
      ("-_8", [0xfb, 0xff]),
    ]
    for (text, bytes) in samples {
      #expect(Base64URL.text(of: bytes) == text)
      #expect(Base64URL.bytes(of: text) == bytes)
    }
    for count in 0..<70 {
      let bytes = Sodium.random(count)
      #expect(Base64URL.bytes(of: Base64URL.text(of: bytes)) == bytes)
    }
    for text in ["Z", "Zh", "Zm9", "Zg==", "+/8", "Zm 9v", "é"] {
      #expect(Base64URL.bytes(of: text) == nil)
    }
  }

  // MARK: The configuration

  @Test("A configuration is read as it was written, and only the user can read it")
  func configuration() throws {
    let folder = try TestFolder()
    let store = ConfigurationStore(
      directory: folder.path + "/a/link", stateDirectory: folder.path + "/b/link")
    #expect(try store.load() == nil)
    let written = try LinkConfiguration(invitation, machineName: "Ann's laptop")
    try store.save(written)
    try store.save(written)
    let read = try #require(try store.load())
    #expect(read.text == written.text)
    #expect(read.server == server)
    #expect(read.machine == written.machine && read.machineName == "Ann's laptop")
    #expect(read.boxKeys == written.boxKeys)
    #expect(read.keys.all == keys.all && read.keys.id == keys.id)
    #expect(read.keys.nameKey == keys.nameKey)
    #expect(read.anchors == invitation.anchors)
    var status = stat()
    #expect(stat(store.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(store.directory, &status) == 0 && status.st_mode & 0o777 == 0o700)
    for mode: mode_t in [0o640, 0o620, 0o610, 0o604, 0o602, 0o601] {
      chmod(store.path, mode)
      #expect(throws: ConfigurationStore.Exposure.self) { try store.load() }
    }
    chmod(store.path, 0o400)
    #expect(try store.load()?.text == written.text)
    // A new file does not take over the mode of a file that a crash has left.
    let leftover = "\(store.path).\(getpid())"
    #expect(creat(leftover, 0o666) >= 0 && chmod(leftover, 0o666) == 0)
    try store.save(written)
    #expect(stat(store.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try store.remove()
    #expect(try store.load() == nil)
  }

  @Test("An error names the line of the file")
  func errors() throws {
    let text = try LinkConfiguration(server: server, machineName: "m").text
    for line in text.split(separator: "\n").dropFirst() {
      let name = String(line.prefix { $0 != " " })
      for other in ["", "\(line)\n\(line)\n", "\(name) \u{7}\n"] {
        let altered = text.replacing("\(line)\n", with: other)
        let problem = #expect(throws: LinkConfiguration.Problem.self) {
          try LinkConfiguration(text: altered)
        }
        let description = try #require(problem).description
        #expect(description.contains(name == "machine-name" ? "name" : name))
      }
    }
    let problem = #expect(throws: LinkConfiguration.Problem.self) {
      try LinkConfiguration(text: text + "color red\n")
    }
    #expect(problem?.description == "color: no such setting")
  }

  @Test(
    "Invalid names are refused",
    arguments: ["", " a", "a\n", "\u{1b}[0m", "a\u{202e}b", String(repeating: "a", count: 65)])
  func names(name: String) {
    #expect(throws: LinkConfiguration.Problem.self) {
      try LinkConfiguration(server: server, machineName: name)
    }
  }
}
