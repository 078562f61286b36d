import ShelfModel
import Testing

@Suite("The answers of the process that reads previews") struct PreviewAnswerTests {
  private func record(_ tag: Character, _ bytes: [UInt8], count: Int? = nil) -> [UInt8] {
    Array("\(tag)".utf8) + numbers(count ?? bytes.count) + bytes
  }

  private func numbers(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
  }

  private let pixels: [UInt8] = [1, 2, 3, 4, 5, 6]

  @Test("An answer has the facts of a file, the dimensions and the scaled picture")
  func whole() {
    let bytes =
      record("T", Array("image/png".utf8)) + record("I", Array(". a b".utf8))
      + record("B", Array("1234".utf8)) + record("S", numbers(640, 480))
      + record("P", numbers(1, 2, 3) + pixels)
    let answer = PreviewAnswer(bytes, extent: 96)
    #expect((answer.fileType, answer.icon, answer.byteCount) == ("image/png", ". a b", 1234))
    #expect((answer.width, answer.height, answer.isDirectory) == (640, 480, false))
    #expect(answer.picture?.bytes == pixels)
    #expect(answer.picture?.stride == 3)
    #expect(PreviewAnswer(record("D", []), extent: 96).isDirectory)
  }

  @Test("An answer that ends early has the records before its end")
  func early() {
    let bytes = record("S", numbers(640, 480)) + record("P", numbers(1, 2, 3) + pixels)
    for count in 0...bytes.count {
      let answer = PreviewAnswer(Array(bytes.prefix(count)), extent: 96)
      #expect((answer.width == 640) == (count >= 13))
      #expect((answer.picture != nil) == (count == bytes.count))
    }
  }

  @Test("A picture with wrong dimensions is refused")
  func wrong() {
    for header in [numbers(1, 2, 4), numbers(2, 2, 3), numbers(97, 2, 3), numbers(0, 0, 3), []] {
      #expect(PreviewAnswer(record("P", header + pixels), extent: 96).picture == nil)
    }
    #expect(PreviewAnswer(record("S", pixels, count: Int(UInt32.max)), extent: 96).width == 0)
  }
}

@Suite("Places in which files hang") struct HangingPlacesTests {
  private let mounts = """
    21 1 8:1 / / rw - ext4 /dev/sda1 rw
    30 21 0:44 / /home/ada/a\\040share rw shared:1 - fuse.sshfs ada@host:/ rw
    31 21 0:45 / /home/ada rw - nfs host:/ada rw
    """
  private let now = ContinuousClock.now

  private func hanging(_ path: String) -> HangingPlaces {
    var places = HangingPlaces()
    places.note(path, mounts: mounts, at: now)
    return places
  }

  @Test("After a file has hung, no file of its file system is read for a while")
  func mount() {
    let places = hanging("/home/ada/a share/x/1.png")
    #expect(places.contains("/home/ada/a share/y/2.png", at: now))
    #expect(places.contains("/home/./ada//b/../a share/3.png", at: now))
    #expect(!places.contains("/home/ada/x/1.png", at: now))
    #expect(!places.contains("/home/ada/a share/x/1.png", at: now + HangingPlaces.pause))
    #expect(hanging("/home/ada/1.png").contains("/home/ada/a/b/c", at: now))
    #expect(!hanging("/home/ada/a share").contains("/home/ada/b", at: now))
  }

  @Test("If the path of a file that hangs is on a disk, only its directory is not read")
  func link() {
    let places = hanging("/srv/link/1.png")
    #expect(places.contains("/srv/link/2.png", at: now))
    #expect(!places.contains("/srv/3.png", at: now))
    #expect(!hanging("/1.png").contains("/2.png", at: now))
  }
}
