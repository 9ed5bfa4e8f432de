import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit
import UserNotifications

@Suite("The life cycle of view controllers")
@MainActor
struct LifeCycleTests {
    private let phone = TestPhone()
    private let log = ViewLog()
    private let shown = ["will appear", "is appearing", "will lay out", "did lay out", "did appear"]

    private func lines(_ name: String, _ words: [String]) -> [String] { words.map { "\(name) \($0)" } }

    private func inside<Result>(_ body: @MainActor () -> Result) throws -> Result { try phone.inLab(body) }

    /// Opens an app with this root, and forgets what it noted.
    private func open(_ root: UIViewController) async {
        phone.install(.lab) { WindowApp(root, log) }
        await phone.open(.lab)
        _ = log.take()
    }

    @Test("The root is loaded with the window, and appears when the app has launched, before it is active")
    func launch() async {
        let root = LoggedController("A", log)
        phone.install(.lab) { WindowApp(root, log) }
        await phone.open(.lab)
        // Active again after the permission prompt.
        #expect(log.take() == ["A loaded", "launched"] + lines("A", shown) + ["active", "active"])
        #expect(root.view.window?.rootViewController === root)
    }

    @Test("The way to the background and back calls nothing")
    func background() async {
        await open(LoggedController("A", log))
        await phone.background(.lab)
        await phone.open(.lab)
        #expect(log.take() == ["background", "active"])
    }

    @Test("A sheet leaves the presenter on the screen; its completion follows its appearance")
    func sheet() async throws {
        let root = LoggedController("A", log)
        let sheet = LoggedController("B", log)
        await open(root)
        try inside {
            root.present(sheet, animated: true) { log.lines.append("presented") }
            log.lines.append("after present")
            #expect(root.presentedViewController === sheet && sheet.presentingViewController === root)
            #expect(sheet.isBeingPresented)
        }
        #expect(log.take() == ["B loaded", "after present"] + lines("B", shown) + ["presented"])
        #expect(!sheet.isBeingPresented && root.view.window != nil)
        try inside { sheet.dismiss(animated: true) { log.lines.append("dismissed") } }
        #expect(log.take() == ["B will disappear", "B did disappear", "dismissed"])
        #expect(root.presentedViewController == nil && sheet.presentingViewController == nil)
        #expect(sheet.view.window == nil)
    }

    @Test("A presentation in full screen makes the presenter disappear; before iOS 13 it is the default")
    func fullScreen() async throws {
        for (phone, style) in [(phone, UIModalPresentationStyle.fullScreen), (TestPhone(.iOS(12)), .automatic)] {
            let root = LoggedController("A", log)
            let page = LoggedController("B", log)
            page.modalPresentationStyle = style
            phone.install(.lab) { WindowApp(root, log) }
            await phone.open(.lab)
            _ = log.take()
            try phone.inLab { root.present(page, animated: false) }
            #expect(
                log.take() == ["B loaded", "A will disappear"] + lines("B", shown) + ["A did disappear"]
            )
            #expect(root.view.window == nil)
            try phone.inLab { root.dismiss(animated: false) }
            #expect(log.take() == ["B will disappear"] + lines("A", shown) + ["B did disappear"])
            #expect(root.view.window != nil)
        }
    }

    @Test("Nothing is presented from a controller outside of the window, or twice; a parent's child is an error")
    func refused() async throws {
        let root = LoggedController("A", log)
        await open(root)
        let exceptions = try inside {
            let stray = UIViewController()
            stray.present(LoggedController("B", log), animated: true)
            #expect(stray.presentedViewController == nil)
            let first = UIViewController()
            root.present(first, animated: true)
            root.present(LoggedController("C", log), animated: true) { log.lines.append("presented") }
            #expect(root.presentedViewController === first)
            let parent = UIViewController()
            let child = UIViewController()
            parent.addChild(child)
            return RaisedException.catching { first.present(child, animated: true) }
        }
        #expect(exceptions.map(\.name) == ["NSInvalidArgumentException"])
        #expect(log.take().isEmpty)
    }

    @Test("Dismissing a controller dismisses all that it presents, the last one first")
    func chain() async throws {
        let root = LoggedController("A", log)
        let first = LoggedController("B", log)
        let second = LoggedController("C", log)
        await open(root)
        try inside {
            root.present(first, animated: false)
            first.present(second, animated: false)
        }
        _ = log.take()
        try inside { root.dismiss(animated: true) }
        #expect(log.take() == ["C will disappear", "B will disappear", "C did disappear", "B did disappear"])
        #expect(root.presentedViewController == nil && first.presentedViewController == nil)
    }

    @Test("A child appears with its parent, or when its view is added, and disappears when it is removed")
    func children() async throws {
        let root = LoggedController("A", log)
        let child = LoggedController("B", log)
        root.addChild(child)
        #expect(log.take() == ["B will move to a parent"])
        root.view.addSubview(child.view)
        child.didMove(toParent: root)
        _ = log.take()
        phone.install(.lab) { WindowApp(root, log) }
        await phone.open(.lab)
        let launch = log.take()
        #expect(launch.filter { $0.hasPrefix("B") } == lines("B", shown))
        #expect(launch.firstIndex(of: "A will appear") ?? 9 < launch.firstIndex(of: "B will appear") ?? 0)
        try inside {
            child.willMove(toParent: nil)
            child.view.removeFromSuperview()
            child.removeFromParent()
        }
        #expect(
            log.take() == [
                "B will move to none", "B will disappear", "B did move to none", "B did disappear",
            ]
        )
        try inside {
            root.addChild(child)
            root.view.addSubview(child.view)
            child.didMove(toParent: root)
        }
        #expect(log.take().filter { $0.hasSuffix("appear") } == ["B will appear", "B did appear"])
        #expect(child.parent === root && root.children == [child])
    }

    @Test("Another root replaces the first; a hidden window has none on the screen")
    func roots() async throws {
        let root = LoggedController("A", log)
        let other = LoggedController("B", log)
        await open(root)
        let window = try #require(root.view.window)
        try inside { window.rootViewController = other }
        #expect(
            log.take() == ["B loaded", "A will disappear"] + lines("B", shown.dropLast())
                + ["A did disappear", "B did appear"]
        )
        #expect(root.view.window == nil && other.view.window === window)
        try inside { window.isHidden = true }
        #expect(log.take() == ["B will disappear", "B did disappear"])
        try inside { window.isHidden = false }
        #expect(log.take() == lines("B", shown))
    }

    @Test("An app that pushes wake in the background has its controllers appear too, if it shows a window at launch")
    func backgroundLaunch() async {
        phone.install(.lab) { WindowApp(LoggedController("A", log), log) }
        await phone.open(.lab)
        await phone.terminate(.lab)
        _ = log.take()
        await phone.push(["aps": ["content-available": 1]], to: .lab)
        #expect(log.take() == ["A loaded", "launched"] + lines("A", shown))
    }

    @Test("Each controller of the app is told of a memory warning, those of another app are not")
    func memory() async throws {
        final class Careful: UIViewController {
            var warnings = 0
            override func didReceiveMemoryWarning() { warnings += 1 }
        }
        await open(UIViewController())
        let other = TestPhone(name: "Other")
        other.install(.lab) { PlainApp() }
        await other.open(.lab)
        let own = try inside { Careful() }
        let foreign = try other.inLab { Careful() }
        try inside {
            let name = NSNotification.Name("UIApplicationDidReceiveMemoryWarningNotification")
            NotificationCenter.default.post(name: name, object: UIApplication.shared)
        }
        #expect(own.warnings == 1 && foreign.warnings == 0)
    }

    @Test("A class known at run time only is created with init(nibName:bundle:)")
    func creation() {
        let made = ObjectCreation.make(ConfiguredController.self)
        #expect(made.values == [1, 2] && made.nibName == nil && type(of: made) == ConfiguredController.self)
        #expect(type(of: ObjectCreation.make(PlainController.self)) == PlainController.self)
    }
}

private final class ConfiguredController: UIViewController {
    let values: [Int]

    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        values = [1, 2]
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    required init?(coder: NSCoder) { nil }
}

private final class PlainController: UIViewController {
    var value = 3
}
