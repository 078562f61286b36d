import DragModel
import Testing

@Suite("Evidence of sandboxes")
struct ConfinementTests {
  typealias File = ConfinementEvidence.File

  private func sandbox(_ id: String) throws -> Confinement { .sandboxed(try ApplicationID(id)) }

  private func evidence(
    label: String? = nil, isInContainer: Bool = false, flatpakInfo: File = .absent,
    controlGroups: File = .text("0::/user.slice/user@1000.service/app.slice/a.scope\n")
  ) -> Confinement {
    ConfinementEvidence(
      label: label.map { SecurityLabel($0.utf8) }, isInContainer: isInContainer,
      flatpakInfo: flatpakInfo, controlGroups: controlGroups
    ).confinement
  }

  // MARK: Flatpak

  @Test("The application's id is the name in the group Application; without that group, in Runtime")
  func flatpakInfo() throws {
    let infos = [
      "[Application]\nname=org.gnome.Notes\nruntime=runtime/org.gnome.Platform\n[Instance]\nname=x\n",
      "# comment\r\n\r\n[Instance]\r\nname=x\r\n[Application] \r\n  name\t= org.gnome.Notes\r\n",
      "[Runtime]\nname=org.other.App\n[Application]\nname=org.gnome.Notes",
      "[Runtime]\nname=org.gnome.Notes\n",
      "[Application]\nname=old\nname=org.gnome.Notes",
    ]
    for info in infos {
      #expect(FlatpakInfo.applicationID(in: Array(info.utf8))?.text == "org.gnome.Notes", "\(info)")
    }
  }

  @Test(
    "A file without a valid id yields no id",
    arguments: [
      "", "name=org.gnome.Notes", "[Application]\nname=\n", "[Application]\n#name=org.gnome.Notes",
      "[Application]\nname=a b", "[Application]\nname=../x", "[application]\nname=org.gnome.Notes",
      "[Instance]\nname=org.gnome.Notes", "Application]\nname=x", "\0[Application]",
      "[Runtime]\nname=org.gnome.Notes\n[Application]\nnames=x\n",
      "[Application]\nname=org.gnome.Notes ", "[Application]\nname=org.gnome.Notes\nno pair",
    ])
  func noFlatpakInfo(text: String) {
    #expect(FlatpakInfo.applicationID(in: Array(text.utf8)) == nil)
    #expect(evidence(flatpakInfo: .text(text)) == .unverified)
  }

  // MARK: Labels

  @Test(
    "An enforced AppArmor profile of a snap identifies the sandbox",
    arguments: [
      ("snap.firefox.firefox (enforce)", "snap.firefox"),
      ("snap.firefox.firefox (enforce)\0", "snap.firefox"),
      ("snap.a-b_two.hook.configure (kill)", "snap.a-b_two"),
      ("snap.a.b//sub (enforce)", "snap.a"), ("snap.a.b//&unconfined (mixed)", "snap.a"),
      ("unconfined//&snap.a.b (enforce)", "snap.a"), (":ns:snap.a.b (enforce)", "snap.a"),
      ("snap.a.b", "snap.a"),
    ])
  func snap(label: String, id: String) throws {
    #expect(SecurityLabel(label.utf8) == .snap(try sandbox(id)))
    for file in [File.absent, .unreadable, .text("[Application]\nname=org.x")] {
      #expect(try evidence(label: label, flatpakInfo: file) == sandbox(id))
    }
  }

  @Test("A snap with an invalid name is a sandbox without an id")
  func badSnap() {
    #expect(SecurityLabel("snap.ä.b (enforce)".utf8) == .snap(.unverified))
    #expect(SecurityLabel("snap..b (enforce)".utf8) == .snap(.unverified))
  }

  @Test(
    "AppArmor labels that confine no snap",
    arguments: [
      "unconfined", "unconfined\0", "/usr/bin/evince (enforce)", "snap.code.code (complain)",
      "/snap/snapd/1/usr/lib/snapd/snap-confine (enforce)", "snap-update-ns.x (enforce)", "x (y)",
    ])
  func noSnap(label: String) {
    #expect(SecurityLabel(label.utf8) == .noSnap)
    #expect(
      evidence(label: label, controlGroups: .text("0::/snap.code.code-1.scope"))
        == .unsandboxed)
  }

  @Test("Any other label is no evidence", arguments: ["", "u:r:t:s0", "kernel", "_", "(enforce)"])
  func foreignLabel(label: String) { #expect(SecurityLabel(label.utf8) == .foreign) }

  // MARK: Control groups

  @Test(
    "Without an AppArmor label, the control group identifies a snap",
    arguments: [nil, "unconfined_u:unconfined_r:unconfined_t:s0"])
  func controlGroups(label: String?) throws {
    let scope = "snap.firefox.firefox-1b2c.scope"
    for groups in [
      "0::/user.slice/user@1000.service/app.slice/\(scope)\n",
      "12:devices:/a\n1:name=systemd:/user.slice/\(scope)/below\n0::/\n",
      "0::/\(scope)",
    ] {
      #expect(
        try evidence(label: label, controlGroups: .text(groups)) == sandbox("snap.firefox"))
    }
    for groups in [
      "", "0::/\n", "0::/user.slice/snap.scope", "0::/snapd.service", "snap.a.b", "a:snap.a.b",
    ] {
      #expect(evidence(label: label, controlGroups: .text(groups)) == .unsandboxed, "\(groups)")
    }
    #expect(evidence(label: label, controlGroups: .text("0::/snap.ä.b.scope")) == .unverified)
    #expect(evidence(label: label, controlGroups: .unreadable) == .unverified)
    #expect(evidence(label: label, controlGroups: .absent) == .unsandboxed)
  }

  // MARK: Several kinds of evidence

  @Test("A process that cannot be inspected does not count as unsandboxed")
  func doubt() {
    #expect(evidence() == .unsandboxed)
    #expect(evidence(flatpakInfo: .unreadable) == .unverified)
    #expect(evidence(label: "unconfined", flatpakInfo: .unreadable) == .unverified)
    #expect(evidence(isInContainer: true) == .unverified)
    #expect(evidence(label: "unconfined", isInContainer: true) == .unverified)
  }

  @Test("Within a container, Flatpak's file has the id")
  func container() throws {
    let info = File.text("[Application]\nname=org.x.App\n")
    #expect(try evidence(isInContainer: true, flatpakInfo: info) == sandbox("org.x.App"))
  }
}

extension ConfinementEvidence.File {
  fileprivate static func text(_ text: String) -> Self { .content(Array(text.utf8)) }
}
