import Files
import Testing

@Suite("The environment")
struct EnvironmentTests {
  @Test("An empty variable is like an unset one")
  func empty() {
    let environment = Environment(["A": "", "B": "b"])
    #expect(environment["A"] == nil && environment["B"] == "b" && environment["C"] == nil)
    #expect(Environment["PATH"] == Environment()["PATH"])
  }

  @Test("An entry is divided at its first =, and the first of equal names has effect")
  func entries() {
    let environment = Environment(entries: ["A=1=2", "A=3", "B=", "C"])
    #expect(environment["A"] == "1=2")
    #expect(environment["B"] == nil && environment["C"] == nil)
  }

  @Test("Variables with a prefix are sorted, and have names without the prefix")
  func prefix() {
    let environment = Environment(["D_B": "2", "D_A": "", "E_A": "3"])
    let found = environment.variables(beginningWith: "D_")
    #expect(found.map(\.name) == ["A", "B"])
    #expect(found.map(\.value) == ["", "2"])
  }

  @Test(
    "A base directory is the variable's or one in HOME; relative paths are ignored",
    arguments: zip(
      Environment.BaseDirectory.allCases, [".local/share", ".config", ".local/state", ".cache"]))
  func directories(directory: Environment.BaseDirectory, inHome: String) {
    let name = directory.rawValue
    func path(_ variables: [String: String]) -> String? {
      Environment(variables).directory(directory)
    }
    #expect(path([name: "/x/y", "HOME": "/home/ada"]) == "/x/y")
    #expect(path([name: "/x/y"]) == "/x/y")
    for value in [nil, "", "x", "~/x"] {
      #expect(
        path([name: value, "HOME": "/home/ada"].compactMapValues(\.self)) == "/home/ada/" + inHome)
      #expect(path([name: value, "HOME": "ada"].compactMapValues(\.self)) == nil)
      #expect(path([name: value].compactMapValues(\.self)) == nil)
    }
    #expect(Environment.directory(directory) == Environment().directory(directory))
  }
}
