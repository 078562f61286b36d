import DragModel
import Testing

@Suite("Visibility")
struct VisibilityTests {
  @Test(
    "A viewer that shares enough labels with the source sees the representation",
    arguments: [
      // the viewer, the source, and the visibilities that the viewer sees
      ("org.gnome.Notes", "org.gnome.Notes", "own-process,group,team,all"),
      ("org.gnome.Maps", "org.gnome.Notes", "group,team,all"),
      ("org.gnome.notes", "org.gnome.Notes", "group,team,all"),
      ("org.gnome.apps.Maps", "org.gnome.Notes", "team,all"),
      ("org.gnome.apps.Maps", "org.gnome.apps.Notes", "group,team,all"),
      ("org.gnome.a.b.Maps", "org.gnome.a.c.Notes", "team,all"),
      ("org.gnomes.Maps", "org.gnome.Notes", "all"),
      ("org.Gnome.Maps", "org.gnome.Notes", "all"),
      ("org.kde.Maps", "org.gnome.Notes", "all"),
      ("com.gnome.Notes", "org.gnome.Notes", "all"),
      // an id of one or two labels forms its own team and group
      ("org.gnome", "org.gnome.Notes", "all"),
      ("org.gnome.Notes", "org.gnome", "all"),
      ("org.gnome", "org.gnome", "own-process,group,team,all"),
      ("org.gnome", "org.kde", "all"),
      ("notes", "notes", "own-process,group,team,all"),
      ("notes", "maps", "all"),
      // a unique name forms its own team and group, too
      (":1.1", ":1.1", "own-process,group,team,all"),
      (":1.2", ":1.1", "all"),
      ("org.gnome.Notes", ":1.1", "all"),
      (":1.1", "org.gnome.Notes", "all"),
    ])
  func matrix(viewer: String, source: String, visible: String) throws {
    let (viewer, source) = (try application(viewer), try application(source))
    let reach = Visibility.reach(of: viewer, into: source)
    let seen = Visibility.allCases.filter { $0 >= reach }
    #expect(seen.map(\.name).joined(separator: ",") == visible)
  }

  @Test(
    "A connection sees everything that one of its applications sees",
    arguments: [
      // the sandbox, the source, and the narrowest visibility
      ("", "org.gnome.Notes", .ownProcess),
      ("", ":1.1", .ownProcess),
      ("", ":1.2", .all),
      ("org.gnome.Notes", "org.gnome.Notes", .ownProcess),
      ("org.gnome.Maps", "org.gnome.Notes", .group),
      ("org.gnome.apps.Maps", "org.gnome.Notes", .team),
      ("org.kde.Maps", "org.gnome.Notes", .all),
      ("org.kde.Maps", ":1.1", .ownProcess),
      ("org.kde.Maps", ":1.2", .all),
    ] as [(String, String, Visibility)])
  func callers(sandbox: String, source: String, reach: Visibility) throws {
    let confinement: Confinement =
      sandbox.isEmpty ? .unsandboxed : .sandboxed(try ApplicationID(sandbox))
    let caller = Caller(uniqueName: ":1.1", confinement: confinement)
    #expect(Visibility.reach(of: caller, into: try application(source)) == reach)
  }

  @Test("Each visibility has one name on the bus, and other names are refused")
  func names() throws {
    for visibility in Visibility.allCases {
      #expect(try Visibility(parsing: visibility.name) == visibility)
    }
    let error = #expect(throws: VisibilityError.self) { try Visibility(parsing: "All") }
    #expect(
      error?.description
        == "visibility: \"All\" does not exist (expected one of all, team, group, own-process)")
  }

  private func application(_ text: String) throws -> Application {
    text.hasPrefix(":") ? .uniqueName(text) : try .named(text)
  }
}
