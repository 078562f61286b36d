import Foundation
import TestSupport
import Testing

@Suite(
  "packaging/repository",
  .enabled(if: isInstalled("apt-ftparchive") && isInstalled("gpg") && isInstalled("dpkg-deb")))
struct RepositoryTests {
  /// Makes a key, the versions 1 and 2 of a package, and a version 1 with other contents.
  private static let preparation = """
    export GNUPGHOME=$PWD/keys
    mkdir -m 700 keys
    gpg --batch --quiet --passphrase '' --quick-generate-key 'Tests <tests@example.org>' ed25519
    make() {
      mkdir -p "$1/DEBIAN" "$1/usr/share/example" other
      printf 'Package: example\\nVersion: %s\\nArchitecture: all\\nMaintainer: Tests <tests@example.org>\\n' "$2" > "$1/DEBIAN/control"
      printf 'Description: example\\n' >> "$1/DEBIAN/control"
      echo "$1" > "$1/usr/share/example/contents"
      dpkg-deb --root-owner-group --build "$1" "$3" > out
    }
    make one 1 one.deb
    make two 2 two.deb
    make three 1 other/one.deb
    trap 'gpgconf --kill all' EXIT
    """

  private func run(_ script: String) throws -> CommandResult {
    let folder = FileManager.default.temporaryDirectory.appending(path: "apt-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try TestSupport.run(
      "bash",
      [
        "-euo", "pipefail", "-c", "cd \"$0\"; repository=$1\n\(Self.preparation)\n\(script)",
        folder.path, Checkout.path("packaging/repository"),
      ])
  }

  @Test("apt accepts the signature, and offers every version")
  func versions() throws {
    let result = try run(
      """
      "$repository" apt tests@example.org one.deb > out
      "$repository" apt tests@example.org two.deb > out
      gpgv --quiet --keyring ./apt/dragboard.gpg apt/dists/stable/InRelease > out 2> errors
      gpgv --quiet --keyring ./apt/dragboard.gpg apt/dists/stable/Release.gpg apt/dists/stable/Release 2> errors
      echo "deb [signed-by=$PWD/apt/dragboard.gpg] file:$PWD/apt stable main" > sources
      mkdir -p state/lists/partial cache/archives/partial empty
      options="-o Dir::Etc::SourceList=$PWD/sources -o Dir::Etc::SourceParts=$PWD/empty -o Dir::State=$PWD/state
        -o Dir::State::Status=/dev/null -o Dir::Cache=$PWD/cache -o APT::Sandbox::User=root"
      apt-get $options update > out
      apt-cache $options madison example | cut -d '|' -f 2
      """)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output.split { $0.isWhitespace } == ["2", "1"], "\(result.output)")
    #expect(!result.output.contains("W:") && !result.errors.contains("W:"), "\(result.errors)")
  }

  @Test("A published file is not replaced, and wrong arguments change nothing")
  func refusals() throws {
    let result = try run(
      """
      "$repository" apt tests@example.org one.deb > out
      before=$(find apt -type f -exec sha256sum {} + | sort)
      for words in 'tests@example.org other/one.deb' 'nobody@example.org two.deb' 'tests@example.org sources'; do
        status=0
        "$repository" apt $words 2>> errors || status=$?
        echo $status
      done
      [[ $before == "$(find apt -type f -exec sha256sum {} + | sort)" ]]
      sed 's/ (expected.*//; s/^packaging.repository: //' errors
      """)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(
      result.output == """
        73
        66
        66
        other/one.deb: the repository has another package of this version
        nobody@example.org: gpg has no such secret key
        sources: is not a Debian package

        """)
  }
}
