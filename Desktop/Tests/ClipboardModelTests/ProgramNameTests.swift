import ClipboardModel
import Testing

@Suite struct ProgramNameTests {
  @Test("A program has the names of its process and of its file")
  func aProgramHasTheNamesOfItsProcessAndOfItsFile() {
    let names = ProgramNames(
      process: "bitwarden-deskt", file: "/opt/Bitwarden/bitwarden-desktop",
      arguments: ["bw", "--flag", "other"])
    #expect(
      names.all == [
        "/opt/Bitwarden/bitwarden-desktop", "bitwarden-deskt", "bitwarden-desktop", "bw",
      ])
    #expect(names.process == "bitwarden-deskt")
  }

  @Test(
    "A script has its own name",
    arguments: [
      ["/usr/bin/python3.11", "/usr/bin/secrets"], ["python3", "-B", "/usr/bin/secrets", "x"],
      ["/usr/lib/electron37/electron", "--ozone-platform=x11", "/usr/lib/secrets/app.asar"],
      ["java", "-Xmx1g", "-jar", "secrets"], ["mono", "/usr/lib/secrets/Main.exe"],
    ])
  func aScriptHasItsOwnName(_ arguments: [String]) {
    let names = ProgramNames(process: "x", file: "", arguments: arguments)
    #expect(names.all.contains("secrets"))
    #expect(!names.all.contains("x.txt"))
  }

  @Test("An argument of another program is no name") func anArgumentOfAnotherProgramIsNoName() {
    let names = ProgramNames(
      process: "gedit", file: "/usr/bin/gedit", arguments: ["gedit", "keepassxc"])
    #expect(names.all == ["/usr/bin/gedit", "gedit"])
  }

  @Test("The file of an upgraded program keeps its name")
  func theFileOfAnUpgradedProgramKeepsItsName() {
    let names = ProgramNames(process: "x", file: "/usr/bin/keepassxc (deleted)")
    #expect(names.all == ["/usr/bin/keepassxc", "keepassxc", "x"])
  }

  @Test("An unknown program has no names") func anUnknownProgramHasNoNames() {
    #expect(ProgramNames().all == [])
    #expect(ProgramNames(file: "/", arguments: [""]).all == ["/"])
  }
}
