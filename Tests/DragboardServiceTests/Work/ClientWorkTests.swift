import DBus
import Foundation
import TestSupport
import Testing

@testable import DragboardService

@Suite("The disk work of clients")
struct ClientWorkTests {
  private let local: LocalService
  private let disk = Disk()

  /// A disk on which work waits until it is released.
  private final class Disk: Sendable {
    private let bell = DispatchSemaphore(value: 0)

    func wait() {
      bell.wait()
      bell.signal()
    }
    func letGo() { bell.signal() }
    func hold() { bell.wait() }
  }

  init() throws { local = try LocalService() }

  /// Returns whether a client may start another job that waits.
  private func takes(_ client: Int, bytes: Int = 0) -> Bool {
    let disk = disk
    do {
      let command = try local.command(of: ":1.\(client)")
      try local.service.parts.work.run(for: command, bytes: bytes) {
        disk.wait()
      } then: { _, _ in
      } orElse: {
      }
      local.service.transactions.beginStep()
      return true
    } catch let error as DBusError {
      #expect(error.name == .limitsExceeded)
      return false
    } catch {
      Issue.record(error)
      return false
    }
  }

  /// Finishes all waiting work.
  private func finish() {
    disk.letGo()
    local.loop.wait { local.service.isAtRest }
    disk.hold()
  }

  @Test("At most 64 calls of a client can wait for the disk")
  func ofOne() {
    for _ in 0..<64 { #expect(takes(1)) }
    #expect(!takes(1))
    #expect(takes(2))
    finish()
    #expect(takes(1))
    finish()
  }

  @Test("At most 512 calls of all clients can wait")
  func ofAll() {
    for number in 0..<512 { #expect(takes(number / 64)) }
    #expect(!takes(9))
    finish()
    #expect(takes(9))
    finish()
  }

  @Test("At most 256 MiB of a client can wait, or one larger call, and 1 GiB of all clients")
  func bytes() {
    #expect(takes(1, bytes: (256 << 20) + 1))
    #expect(!takes(1, bytes: 0))
    #expect(takes(2, bytes: (256 << 20) - 1))
    #expect(!takes(2, bytes: 2))
    #expect(takes(2, bytes: 1))
    #expect(takes(3, bytes: 256 << 20))
    #expect(!takes(4, bytes: 256 << 20))
    #expect(takes(4, bytes: (256 << 20) - 1))
    #expect(!takes(5, bytes: 1))
    finish()
    #expect(takes(5, bytes: 1))
    finish()
  }
}
