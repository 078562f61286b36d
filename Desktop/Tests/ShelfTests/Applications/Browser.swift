import DragboardClient
import Foundation
import TestSupport

/// Firefox with a page that has a drag source and a drop target.
///
/// The title of the page says what happened.
final class Browser: Guest {
  let name = "Firefox"
  let desk: Desk
  private let sample: Sample
  private let program: TestProgram
  let window: String

  /// Starts the browser with a new profile.
  init(with sample: Sample, at desk: Desk) throws {
    (self.desk, self.sample) = (desk, sample)
    let home = URL(fileURLWithPath: desk.folder)
    _ = try Sample.image.parts(in: desk.folder)
    let profile = home.appending(path: "profile")
    try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
    try Self.settings.write(
      to: profile.appending(path: "user.js"), atomically: true, encoding: .utf8)
    try Self.place.write(
      to: profile.appending(path: "xulstore.json"), atomically: true, encoding: .utf8)
    try Self.page.write(to: home.appending(path: "page.html"), atomically: true, encoding: .utf8)
    program = try desk.start([
      "firefox", "--new-instance", "--profile", profile.path,
      home.appending(path: "page.html").absoluteString,
    ])
    // On a busy machine, Firefox needs more than a minute for its first window.
    let place = {
      try desk.screen.place(
        windowTitled: "^Page", at: Self.corner, width: Self.size.width, height: Self.size.height)
    }
    window = try (try? place()) ?? (try? place()) ?? place()
  }

  private static let corner = (x: 430, y: 20)
  private static let size = (width: 560, height: 640)

  /// The place of the window, in the format of the profile.
  ///
  /// Without it, the first window of a profile fills a small screen, and most window managers then
  /// refuse to move it.
  private static let place = """
    {"chrome://browser/content/browser.xhtml": {"main-window": {"screenX": "\(corner.x)",
    "screenY": "\(corner.y)", "width": "\(size.width)", "height": "\(size.height)",
    "sizemode": "normal"}}}
    """

  /// Prevents other pages and requests to the network.
  private static let settings = """
    user_pref("browser.aboutwelcome.enabled", false);
    user_pref("browser.shell.checkDefaultBrowser", false);
    user_pref("browser.startup.firstrunSkipsHomepage", true);
    user_pref("browser.startup.homepage_override.mstone", "ignore");
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
    user_pref("startup.homepage_welcome_url", "about:blank");
    user_pref("app.normandy.enabled", false);
    user_pref("network.connectivity-service.enabled", false);
    user_pref("network.captive-portal-service.enabled", false);
    user_pref("browser.tabs.inTitlebar", 0);
    """

  /// The source at the top, the picture below it, and the target below the picture.
  private static let page = """
    <!DOCTYPE html><meta charset="utf-8"><title>Page</title>
    <style>
      body { margin: 0 } div { height: 100px; background: #eef } #target { height: 200px }
      img { width: 300px; height: 150px; display: block }
    </style>
    <div id="source" draggable="true">source</div>
    <img src="Picture.png">
    <div id="target">target</div>
    <script>
      const say = text => { document.title = "Page: " + text }
      source.ondragstart = event => {
        event.dataTransfer.effectAllowed = "copyMove"
        event.dataTransfer.setData("text/html", "<p>Hi, <b>you</b></p>")
        event.dataTransfer.setData("text/plain", "Hi, you")
      }
      document.ondragend = event => say("gave " + event.dataTransfer.dropEffect)
      document.ondragstart = () => say("began")
      document.onclick = () => say("clicked")
      target.ondragover = event => { event.dataTransfer.dropEffect = "copy"; event.preventDefault() }
      target.ondrop = event => {
        event.preventDefault()
        const { types, files } = event.dataTransfer
        const texts = [...types].map(type => type + "=" + event.dataTransfer.getData(type))
        say("took " + texts.concat([...files].map(file => file.name + ":" + file.size)).join("|"))
      }
    </script>
    """

  /// The representations that the browser drags.
  ///
  /// For a picture they are unknown, because the browser decodes and encodes it again.
  var parts: [Sample.Part] {
    guard sample == .html else { return [] }
    let meta = "<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\">"
    return [
      Sample.Part(type: "text/html", bytes: Array((meta + "<p>Hi, <b>you</b></p>").utf8)),
      Sample.Part(type: .plainText, bytes: Array("Hi, you".utf8)),
    ]
  }

  /// Clicks below the parts of the page until the page reports a click.
  ///
  /// On Wayland, a drag from a window without the focus ends when the window gets it, and a new
  /// window ignores the first presses. The points are inside of the parts with and without a title
  /// bar, which only GNOME shows.
  func prepareDrag() async throws -> Point {
    let below = (x: Self.corner.x + 150, y: Self.corner.y + Self.size.height - 20)
    try await untilTitle { title in
      if title.contains("clicked") { return true }
      try desk.screen.perform([.move(below), .press, .release, .rest(.milliseconds(300))])
      return false
    }
    return (Self.corner.x + 150, Self.corner.y + (sample == .image ? 280 : 153))
  }

  /// On Wayland, Firefox reports no effect of a drop on another program.
  func untilDelivered(asMove isMove: Bool) async throws {
    let effect = WaylandScreen.isUsed ? "" : isMove ? "move" : "copy"
    try await untilTitle { $0.contains("gave \(effect)") }
  }

  func prepareDrop() async throws -> Point { (Self.corner.x + 150, Self.corner.y + 450) }

  func untilReceived(_ parts: [Sample.Part]) async throws {
    try await untilTitle { title in
      parts.allSatisfy { part in
        let text = String(decoding: part.bytes, as: UTF8.self)
        let type = part.type.rawValue.prefix { $0 != ";" }
        return switch sample {
        case .text, .html: title.contains("\(type)=\(text)")
        case .file: title.contains("Note 1.txt:6")
        case .image: title.contains(":\(part.bytes.count)")
        }
      }
    }
  }

  private func untilTitle(_ isRight: (String) throws -> Bool) async throws {
    var title = ""
    do {
      try await desk.until {
        title = try self.desk.screen.title(of: self.window)
        return try isRight(title)
      }
    } catch { throw TestProgram.Failure(description: "the page says: \(title)") }
  }
}
