import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("packaging/install")
struct InstallTests {
  /// A directory that replaces the root of a system; it is removed at the end.
  private final class Root {
    let url = FileManager.default.temporaryDirectory.appending(path: "root-\(UUID())")

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the paths of its files.
    func files() -> Set<String> {
      let paths = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String }
      return Set(
        (paths ?? []).filter { path in
          (try? url.appending(path: path).resourceValues(forKeys: [.isRegularFileKey]))?
            .isRegularFile == true
        })
    }

    func isExecutable(_ path: String) -> Bool {
      FileManager.default.isExecutableFile(atPath: url.appending(path: path).path)
    }

    func text(of path: String) throws -> String {
      try String(contentsOf: url.appending(path: path), encoding: .utf8)
    }

    /// Makes a shell script, and returns the path of its directory.
    @discardableResult
    func write(_ script: String, to path: String) throws -> String {
      let file = url.appending(path: path)
      let folder = file.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try whileNothingStarts { try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file) }
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
      return folder.path
    }
  }

  private func install(
    _ arguments: [String], into root: Root, as user: [String: String] = [:]
  ) throws -> CommandResult {
    var environment = ProcessInfo.processInfo.environment.merging(user) { $1 }
    environment["DESTDIR"] = root.url.path
    return try run(
      "bash", [Checkout.path("packaging/install")] + arguments, environment: environment)
  }

  /// Returns `--programs` and `--shelf` for the built programs; a stand-in replaces the shelf.
  private func programs(in root: Root) throws -> [String] {
    let folder = try root.write("", to: "build/dragboard-shelf")
    return ["--toolchain", "--programs", try products(), "--shelf", folder]
  }

  /// Returns the directory of the daemon and the command, which need the libraries of the toolchain.
  private func products() throws -> String {
    URL(fileURLWithPath: try builtProduct("dragboardd")).deletingLastPathComponent().path
  }

  @Test("The installation puts every file where a session expects it, and removes it again")
  func installsAndRemoves() throws {
    let root = Root()
    let result = try install(
      ["--prefix", "/opt/x", "--toolchain", "--programs", products()], into: root)
    #expect(result.status == .exited(0), "\(result.errors)")
    let files = root.files()
    for path in [
      "bin/dragboard", "bin/dragboardd", "lib/systemd/user/dragboardd.service",
      "share/dbus-1/services/\(Dragboard.busName).service",
      "share/dbus-1/interfaces/\(BoardInterface.name).xml",
      "share/bash-completion/completions/dragboard", "share/zsh/site-functions/_dragboard",
      "share/fish/vendor_completions.d/dragboard.fish", "share/man/man1/dragboard.1",
      "share/man/man1/dragboard-drag.1", "share/man/man1/dragboardd.1",
    ] {
      #expect(files.contains("opt/x/\(path)"), "\(path)")
    }
    let activation = "opt/x/share/dbus-1/services/\(Dragboard.busName).service"
    #expect(try root.text(of: activation).contains("Exec=/opt/x/bin/dragboardd\n"))
    let unit = "opt/x/lib/systemd/user/dragboardd.service"
    #expect(try root.text(of: unit).contains("ExecStart=/opt/x/bin/dragboardd\n"))

    let own = root.url.appending(path: "opt/x/share/man/man1/other.1")
    try Data("somebody else's".utf8).write(to: own)
    #expect(try install(["--remove", "--prefix", "/opt/x"], into: root).status == .exited(0))
    #expect(root.files() == ["opt/x/share/man/man1/other.1"])
  }

  @Test("The files of the shelf are installed, and all of them are removed")
  func shelf() throws {
    let root = Root()
    let result = try install(
      ["--prefix", "/opt/x", "--autostart"] + programs(in: root), into: root)
    #expect(result.status == .exited(0), "\(result.errors)")
    for (path, line) in [
      ("opt/x/share/applications/org.dragboard.Shelf.desktop", "Exec=/opt/x/bin/dragboard-shelf"),
      (
        "opt/x/share/applications/org.dragboard.Shelf.desktop",
        "StartupWMClass=dragboard-shelf\n"
      ),
      (
        "opt/x/share/dbus-1/services/org.dragboard.Shelf.service",
        "Exec=/opt/x/bin/dragboard-shelf --gapplication-service"
      ),
      ("opt/x/share/applications/org.dragboard.Shelf.desktop", "Name[de]=Ablage"),
      ("opt/x/share/metainfo/org.dragboard.Shelf.metainfo.xml", "<id>org.dragboard.Shelf</id>"),
      ("opt/x/share/icons/hicolor/scalable/apps/org.dragboard.Shelf.svg", "<svg"),
      ("opt/x/share/icons/hicolor/symbolic/apps/org.dragboard.Shelf-symbolic.svg", "<svg"),
      ("opt/x/share/man/man1/dragboard-shelf.1", ".Nm dragboard-shelf"),
      (
        "opt/x/share/nautilus-python/extensions/nautilus_send_to_shelf.py",
        "COMMAND = \"/opt/x/bin/dragboard\""
      ),
      ("opt/x/share/nemo/actions/send-to-shelf", "  /opt/x/bin/dragboard add --link --file"),
      ("opt/x/share/nemo/actions/send-to-shelf.nemo_action", "Dependencies=/opt/x/bin/dragboard;"),
      ("opt/x/share/Thunar/sendto/thunar-sendto-shelf.desktop", "TryExec=/opt/x/bin/dragboard"),
      (
        "opt/x/share/kio/servicemenus/dolphin-send-to-shelf.desktop",
        "Exec=/opt/x/bin/dragboard add --link --file %F"
      ),
      ("etc/xdg/autostart/org.dragboard.Shelf.desktop", "Exec=/opt/x/bin/dragboard-shelf"),
    ] {
      #expect(try root.text(of: path).contains("\(line)"), "\(path): \(line)")
    }
    #expect(try install(["--remove", "--prefix", "/opt/x"], into: root).status == .exited(0))
    #expect(root.files() == ["build/dragboard-shelf"])
  }

  @Test("The files of the clipboard bridge are installed, and all of them are removed")
  func bridge() throws {
    let root = Root()
    let arguments = try ["--prefix", "/opt/x"] + programs(in: root)
    let program = root.url.appending(path: "build/dragboard-clipboard")
    try FileManager.default.copyItem(
      at: root.url.appending(path: "build/dragboard-shelf"), to: program)
    let result = try install(arguments, into: root)
    #expect(result.status == .exited(0), "\(result.errors)")
    for (path, line) in [
      ("bin/dragboard-clipboard", "#!/bin/sh"),
      (
        "lib/systemd/user/dragboard-clipboard.service", "ExecStart=/opt/x/bin/dragboard-clipboard\n"
      ),
      ("share/dbus-1/interfaces/org.dragboard.Clipboard1.xml", "org.dragboard.Clipboard1"),
      ("share/man/man8/dragboard-clipboard.8", ".Nm dragboard-clipboard"),
    ] {
      #expect(try root.text(of: "opt/x/\(path)").contains(line), "\(path)")
    }
    #expect(try install(["--remove", "--prefix", "/opt/x"], into: root).status == .exited(0))
    #expect(root.files() == ["build/dragboard-shelf", "build/dragboard-clipboard"])
  }

  @Test("The files of the link are installed, and all of them are removed")
  func link() throws {
    let root = Root()
    _ = try programs(in: root)
    let folder = root.url.appending(path: "build")
    try FileManager.default.moveItem(
      at: folder.appending(path: "dragboard-shelf"), to: folder.appending(path: "dragboard-link"))
    let result = try install(
      ["--prefix", "/opt/x", "--toolchain", "--programs", products(), "--link", folder.path],
      into: root)
    #expect(result.status == .exited(0), "\(result.errors)")
    for (path, line) in [
      ("bin/dragboard-link", "#!/bin/sh"),
      ("lib/systemd/user/dragboard-link.service", "ExecStart=/opt/x/bin/dragboard-link run\n"),
      (
        "lib/systemd/user/dragboard-link-server.service",
        "ExecStart=/opt/x/bin/dragboard-link serve\n"
      ),
      ("share/man/man8/dragboard-link.8", ".Nm dragboard-link"),
    ] {
      #expect(try root.text(of: "opt/x/\(path)").contains(line), "\(path)")
    }
    #expect(try install(["--remove", "--prefix", "/opt/x"], into: root).status == .exited(0))
    #expect(root.files() == ["build/dragboard-link"])
  }

  @Test("In a home, files are only in the directories of a home, and nothing starts automatically")
  func home() throws {
    let root = Root()
    let user = ["HOME": "/home/ada", "XDG_CONFIG_HOME": "/home/ada/etc"]
    let arguments = try ["--prefix", "/home/ada/.local"] + programs(in: root)
    #expect(try install(arguments, into: root, as: user).status == .exited(0))
    let share = "home/ada/.local/share"
    #expect(root.isExecutable("\(share)/nautilus/scripts/Send to Shelf"))
    #expect(root.isExecutable("\(share)/kio/servicemenus/dolphin-send-to-shelf.desktop"))
    #expect(root.files().contains("\(share)/systemd/user/dragboardd.service"))
    #expect(!root.files().contains { $0.contains("autostart") })

    #expect(try install(arguments + ["--autostart"], into: root, as: user).status == .exited(0))
    let autostart = "home/ada/etc/autostart/org.dragboard.Shelf.desktop"
    #expect(try root.text(of: autostart).contains("\nExec=/home/ada/.local/bin/dragboard-shelf\n"))
    let removal = ["--remove", "--prefix", "/home/ada/.local"]
    #expect(try install(removal, into: root, as: user).status == .exited(0))
    #expect(root.files() == ["build/dragboard-shelf"])
  }

  @Test(
    "The prefix has several notations",
    arguments: [
      ["--prefix", "/home/ada/.local/"], ["--prefix=/home/ada/.local"],
      ["--prefix=/home//ada/etc/../.local/."],
    ])
  func spelling(prefix: [String]) throws {
    let root = Root()
    let user = ["HOME": "/home/ada/", "XDG_CONFIG_HOME": "/home/ada/etc"]
    let result = try install(prefix + programs(in: root), into: root, as: user)
    #expect(result.status == .exited(0), "\(result.errors)")
    let share = "home/ada/.local/share"
    let unit = try root.text(of: "\(share)/systemd/user/dragboardd.service")
    #expect(unit.contains("ExecStart=/home/ada/.local/bin/dragboardd\n"))
    #expect(try install(["--remove"] + prefix, into: root, as: user).status == .exited(0))
    #expect(root.files() == ["build/dragboard-shelf"])
  }

  @Test(
    "Installing and removing also remove the files of earlier releases",
    arguments: [["--prefix", "/home/ada/.local"], ["--prefix", "/opt/x"]])
  func obsolete(prefix: [String]) throws {
    let user = ["HOME": "/home/ada", "XDG_CONFIG_HOME": "/home/ada/etc"]
    let units = prefix[1] == "/opt/x" ? "lib/systemd/user" : "share/systemd/user"
    let files = [
      "\(units)/dragboardd-inspector.service", "lib/systemd/user-generators/dragboard",
      "share/dbus-1/services/org.dragboard.CallerInspector1.service",
      "\(units)/dragboardd.service.d/50-no-user-namespace.conf",
    ].map { String(prefix[1].dropFirst()) + "/" + $0 }
    for arguments in [prefix + ["--remove"], prefix] {
      let root = Root()
      for file in files {
        let url = root.url.appending(path: file)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: url)
      }
      let result = try install(arguments + programs(in: root), into: root, as: user)
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(root.files().isDisjoint(with: files))
      let folder = root.url.appending(path: files[3]).deletingLastPathComponent().path
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
  }

  @Test(
    "Invalid options are refused by name",
    arguments: [
      (["--bogus"], 64, "--bogus"), (["--prefix"], 64, "--prefix"),
      (["--prefix", "usr"], 64, "--prefix usr"), (["--prefix="], 64, "--prefix"),
      (["--prefix", "/opt/a b"], 64, "--prefix /opt/a b"), (["--prefix=/a%b"], 64, "'%'"),
      (["--programs", "/nowhere"], 66, "/nowhere/dragboard"),
      (["--programs", "/bin", "--shelf", "/nowhere"], 66, "/bin/dragboard"),
      (["--shelf"], 64, "--shelf"), (["--with"], 64, "--with"),
      (["--with", "shelf,bogus"], 64, "--with shelf,bogus: 'bogus'"),
      (["--all", "--remove"], 64, "--remove"), (["--with=link", "--autostart"], 64, "--autostart"),
      (["--all", "--gnome", "x"], 64, "--gnome: 'x'"),
    ] as [([String], Int32, String)])
  func misuse(arguments: [String], status: Int32, words: String) throws {
    let root = Root()
    let result = try install(arguments, into: root)
    #expect(result.status == .exited(status))
    #expect(result.errors.contains(words))
    #expect(root.files().isEmpty)
  }

  // MARK: Builds

  /// Returns a PATH with a stand-in for Swift, which logs its arguments to `log` and makes the product.
  private func withSwift(in root: Root, failing: String = "none") throws -> [String: String] {
    let folder = try root.write(
      """
      echo "$@" >> '\(root.url.path)/log'
      while [ $# -gt 0 ]; do
        case $1 in --scratch-path) scratch=$2;; --product) product=$2;; esac
        shift
      done
      [ $product != \(failing) ] || { echo 'error: no such module'; exit 1; }
      mkdir -p "$scratch/release"
      # The other packages may not have been built.
      case $product in dragboardd) program=dragboardd;; *) program=dragboard;; esac
      cp '\(try products())'/$program "$scratch/release/$product"
      """, to: "tools/swift")
    return ["PATH": "\(folder):/usr/bin:/bin"]
  }

  private func products(builtIn root: Root) throws -> [String] {
    try root.text(of: "log").split(separator: "\n").map { line in
      String(line.split(separator: " ").drop { $0 != "--product" }.dropFirst().first ?? "none")
    }
  }

  private func options(in root: Root) -> [String] {
    let scratch = root.url.appending(path: "scratch").path
    return ["--toolchain", "--no-dependencies", "--prefix", "/opt/x", "--scratch", scratch]
  }

  private func installed(in root: Root) -> Set<String> {
    Set(root.files().filter { $0.hasPrefix("opt/x/bin/") }.map { String($0.dropFirst(10)) })
  }

  @Test("--all builds and installs every program, and --remove removes every file")
  func all() throws {
    let root = Root()
    let user = try withSwift(in: root)
    let result = try install(["--all"] + options(in: root), into: root, as: user)
    #expect(result.status == .exited(0), "\(result.errors)")
    let names = [
      "dragboardd", "dragboard", "dragboard-shelf", "dragboard-clipboard", "dragboard-link",
    ]
    #expect(try products(builtIn: root) == names)
    #expect(installed(in: root) == Set(names))
    for name in names {
      #expect(result.output.contains(" s: building \(name), if it is missing or older"))
    }
    #expect(try install(["--remove", "--prefix", "/opt/x"], into: root).status == .exited(0))
    #expect(!root.files().contains { $0.hasPrefix("opt/") })
  }

  @Test("--with builds and installs the named parts")
  func parts() throws {
    for (parts, expected) in [
      ("clipboard", ["dragboard-clipboard"]),
      ("link,shelf", ["dragboard-link", "dragboard-shelf"]),
    ] {
      let root = Root()
      let user = try withSwift(in: root)
      let result = try install(["--with", parts] + options(in: root), into: root, as: user)
      #expect(result.status == .exited(0), "\(result.errors)")
      #expect(installed(in: root) == Set(expected + ["dragboard", "dragboardd"]))
      #expect(Set(try products(builtIn: root)) == installed(in: root))
    }
  }

  @Test("After a failed build, nothing is installed, and its last lines are printed")
  func failedBuild() throws {
    let root = Root()
    let user = try withSwift(in: root, failing: "dragboard-link")
    let result = try install(["--all"] + options(in: root), into: root, as: user)
    #expect(result.status == .exited(70))
    #expect(result.errors.contains("error: no such module\n"))
    #expect(result.errors.contains("packaging/install: dragboard-link cannot be built"))
    #expect(!root.files().contains { $0.hasPrefix("opt/") })
  }

  @Test("Programs that need the libraries of a toolchain are refused")
  func toolchain() throws {
    let root = Root()
    let result = try install(["--prefix", "/opt/x", "--programs", products()], into: root)
    #expect(result.status == .exited(65))
    #expect(result.errors.contains("/dragboard: needs libswift"), "\(result.errors)")
    #expect(result.errors.contains("'packaging/install --all' builds it"))
    #expect(root.files().isEmpty)
  }

  @Test("The summary lists the parts that are on, off and absent")
  func summary() throws {
    let root = Root()
    var user = try withSwift(in: root)
    try root.write(
      "case \"$*\" in *is-enabled*clipboard*) echo enabled;; esac", to: "tools/systemctl")
    let home = root.url.appending(path: "home").path
    user["HOME"] = home
    user["XDG_CONFIG_HOME"] = "\(home)/.config"
    user["DBUS_SESSION_BUS_ADDRESS"] = ""
    let options = options(in: root).filter { $0 != "--prefix" && $0 != "/opt/x" }
    let result = try run(
      "bash",
      [Checkout.path("packaging/install"), "--with", "shelf,clipboard", "--prefix"]
        + ["\(home)/.local"] + options, environment: user)
    #expect(result.status == .exited(0), "\(result.errors)")
    let lines = result.output.split(separator: "\n").drop { !$0.hasPrefix("installed below ") }
    #expect(
      lines.joined(separator: "\n") == """
        installed below \(home)/.local:
          daemon      on: the first call starts it
          command     \(home)/.local/bin/dragboard
          shelf       off at login; to switch it on: dragboard setup
          clipboard   on
          link        not installed
          extension   not installed
        dragboard is not on the path; to add it: PATH=\(home)/.local/bin:$PATH
        """)
  }

  @Test("The dependencies of a build are those of its parts, without those of the tests")
  func dependencies() throws {
    let root = Root()
    let log = root.url.appending(path: "log").path
    try root.write("echo unknown", to: "tools/dpkg-query")
    try root.write("echo 'Candidate: 1'", to: "tools/apt-cache")
    try root.write("echo \"$@\" >> '\(log)'", to: "tools/apt-get")
    let tools = try root.write("exec \"$@\"", to: "tools/sudo")
    let script = Checkout.path("packaging/install-dependencies")
    let user = ["PATH": "\(tools):/usr/bin:/bin"]
    let result = try run("bash", [script, "--build", "shelf", "link"], environment: user)
    #expect(result.status == .exited(0), "\(result.errors)")
    let words = Set(try root.text(of: "log").split { $0.isWhitespace })
    #expect(words.isSuperset(of: ["libutf8proc-dev", "libadwaita-1-dev", "libnats-dev"]))
    #expect(words.isDisjoint(with: ["libwayland-dev", "python3-gi", "qtbase5-dev", "zsh"]))
    let unknown = try run("bash", [script, "--build", "bogus"], environment: user)
    #expect(unknown.status == .exited(64))
    #expect(unknown.errors.contains("--build: 'bogus' is not a part"))
  }

  private static let hasExtension = FileManager.default.fileExists(
    atPath: Checkout.path("Desktop/gnome-extension/build"))

  @Test("The extension of GNOME Shell is installed, and removed", .enabled(if: hasExtension))
  func shellExtension() throws {
    let root = Root()
    let user = try withSwift(in: root)
    try root.write("", to: "tools/glib-compile-schemas")
    let result = try install(
      ["--with=extension", "--gnome=43"] + options(in: root), into: root, as: user)
    #expect(result.status == .exited(0), "\(result.errors)")
    let metadata = "opt/x/share/gnome-shell/extensions/dragboard@dragboard.org/metadata.json"
    #expect(try root.text(of: metadata).contains("\"43\""))
    #expect(try install(["--remove", "--prefix", "/opt/x"], into: root).status == .exited(0))
    #expect(!root.files().contains { $0.hasPrefix("opt/") })
  }
}
