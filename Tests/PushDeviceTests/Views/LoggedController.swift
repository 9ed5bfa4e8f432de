import PosthornTesting
import PushDevice
import Testing
import UIKit

/// The calls that controllers of one app have received, in order.
@MainActor
final class ViewLog {
    var lines: [String] = []

    /// Returns the lines since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// A controller that notes its life cycle in a log.
class LoggedController: UIViewController {
    let name: String
    let log: ViewLog

    init(_ name: String, _ log: ViewLog) {
        self.name = name
        self.log = log
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func note(_ line: String) { log.lines.append("\(name) \(line)") }

    override func viewDidLoad() {
        super.viewDidLoad()
        note("loaded")
    }
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        note("will appear")
    }
    override func viewIsAppearing(_ animated: Bool) {
        super.viewIsAppearing(animated)
        note(view.window == nil ? "is appearing without a window" : "is appearing")
    }
    override func viewWillLayoutSubviews() { note("will lay out") }
    override func viewDidLayoutSubviews() { note("did lay out") }
    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        note("did appear")
    }
    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        note("will disappear")
    }
    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        note("did disappear")
    }
    override func willMove(toParent parent: UIViewController?) {
        super.willMove(toParent: parent)
        note("will move to \(parent.map { _ in "a parent" } ?? "none")")
    }
    override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        note("did move to \(parent.map { _ in "a parent" } ?? "none")")
    }
}

/// An app with a window, whose root is given.
class WindowApp: PlainApp {
    let log: ViewLog
    let root: UIViewController
    var window: UIWindow?

    init(_ root: UIViewController, _ log: ViewLog = ViewLog()) {
        self.root = root
        self.log = log
    }

    override func prepare() {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = root
        window?.makeKeyAndVisible()
        log.lines.append("launched")
    }

    override func applicationDidBecomeActive(_ application: UIApplication) { log.lines.append("active") }
    override func applicationDidEnterBackground(_ application: UIApplication) { log.lines.append("background") }
}

extension TestPhone {
    /// Runs code of the running app.
    @MainActor
    func inLab<Result>(_ body: @MainActor () -> Result) throws -> Result {
        let result = device.inside(InstalledApp.lab.bundleID, body)
        return try #require(result)
    }
}
