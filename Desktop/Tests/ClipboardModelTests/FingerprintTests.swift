import ClipboardModel
import Testing

@Suite struct FingerprintTests {
  @Test("A copy contains itself and its parts") func aCopyContainsItselfAndItsParts() {
    let copy = Fingerprint(["text/html": 1, "image/png": 2])
    #expect(copy.isContained(in: copy))
    #expect(Fingerprint(["image/png": 2]).isContained(in: copy))
  }

  @Test("Other bytes and other types are new") func otherBytesAndOtherTypesAreNew() {
    let copy = Fingerprint(["text/html": 1])
    #expect(!Fingerprint(["text/html": 2]).isContained(in: copy))
    #expect(!Fingerprint(["text/html": 1, "image/png": 2]).isContained(in: copy))
  }
}
