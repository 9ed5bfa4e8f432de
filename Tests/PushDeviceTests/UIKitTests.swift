import Foundation
import PosthornTesting
import PushDevice
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

@Suite("UIKit: the current part")
@MainActor
struct UIKitTests {
    @Test("@main launches the app in a process of its own and brings it to the front")
    func main() throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let app = Process()
        app.executableURL = products.appendingPathComponent("PlainApp")
        let output = Pipe()
        app.standardOutput = output
        try app.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        app.waitUntilExit()
        #expect(text == "launched 1 true\nactive true\ngranted false\n")
        #expect(app.terminationStatus == 0)
    }

    @Test("Background work ends by itself, or by its handler after 30 seconds in the background")
    func backgroundTasks() async {
        final class Log { var expired: [String] = [] }
        let log = Log()
        let phone = TestPhone()
        phone.install(.lab) { PlainApp() }
        await phone.open(.lab)
        await phone.device.inside(lab) {
            let done = UIApplication.shared.beginBackgroundTask(withName: "done") { log.expired.append("done") }
            _ = UIApplication.shared.beginBackgroundTask { log.expired.append("late") }
            #expect(done != .invalid)
            UIApplication.shared.endBackgroundTask(done)
        }
        await phone.background(.lab)
        await phone.advance(by: .seconds(29))
        #expect(log.expired == [])
        await phone.advance(by: .seconds(1))
        while log.expired.isEmpty { await Task.yield() }
        #expect(log.expired == ["late"])
    }

    @Test("Background refresh follows the person's switch")
    func refreshStatus() async {
        let phone = TestPhone()
        phone.install(.lab) { PlainApp() }
        await phone.open(.lab)
        let before = await phone.device.inside(lab) { UIApplication.shared.backgroundRefreshStatus }
        phone.device.setBackgroundRefresh(of: lab, allowed: false)
        let after = await phone.device.inside(lab) { UIApplication.shared.backgroundRefreshStatus }
        #expect([before, after] == [.available, .denied])
    }

    @Test("Life-cycle notifications are posted after the delegate's method")
    func posts() async {
        final class Listening: PlainApp {
            var posted: [NSNotification.Name] = []
            var tokens2: [any NSObjectProtocol] = []

            override func prepare() {
                let names = [
                    UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
                ]
                for name in names {
                    tokens2.append(
                        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                            [weak self] note in
                            // The centre is the process's: other apps of this test run post there too.
                            let name = note.name
                            MainActor.assumeIsolated {
                                guard let self, UIApplication.shared.delegate === self else { return }
                                self.posted.append(name)
                            }
                        }
                    )
                }
            }
        }
        let phone = TestPhone()
        phone.install(.lab) { Listening() }
        await phone.open(.lab)
        await phone.background(.lab)
        await phone.open(.lab)
        let app = phone.device.delegate(of: lab, as: Listening.self)
        #expect(
            app?.posted == [
                UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
            ]
        )
    }

    @Test("Plain types hold what app code puts into them")
    func plainTypes() {
        let window = UIWindow(frame: UIScreen.main.bounds)
        #expect(window.isHidden)
        let controller = UIViewController()
        window.rootViewController = controller
        window.makeKeyAndVisible()
        #expect(!window.isHidden && window.isKeyWindow && controller.isViewLoaded)
        let view = UIView()
        controller.view?.addSubview(view)
        #expect(view.superview === controller.view)
        view.removeFromSuperview()
        #expect(controller.view?.subviews.isEmpty == true)
        #expect(UIColor.white == UIColor(white: 1, alpha: 1))
    }
}
