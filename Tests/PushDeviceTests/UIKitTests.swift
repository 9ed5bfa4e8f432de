import Foundation
import PosthornTesting
import PushDevice
import TestSupport
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

@Suite("UIKit: the current part")
@MainActor
struct UIKitTests {
    /// Runs a program by hand.
    ///
    /// - Returns: its output, once it has ended without an error.
    private func output(of program: String) throws -> String {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let app = Process()
        app.executableURL = products.appendingPathComponent(program)
        let output = Pipe()
        app.standardOutput = output
        try app.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        app.waitUntilExit()
        #expect(app.terminationStatus == 0)
        return text
    }

    @Test("@main of a delegate that derives from NSObject launches the app and brings it to the front")
    func main() throws {
        #expect(try output(of: "PlainApp") == "launched 1 true\nactive true\ngranted false\n")
    }

    @Test("The reason of an app that an exception ends stands before the backtrace, and after it")
    func reasonLast() throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let app = Process()
        app.executableURL = products.appendingPathComponent("PlainApp")
        app.arguments = ["raise"]
        app.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no,output-to=stderr"]) { $1 }
        let output = Pipe()
        app.standardError = output
        app.standardOutput = FileHandle.nullDevice
        try app.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        app.waitUntilExit()
        let lines = text.split(separator: "\n")
        let reason = "'NSInternalInconsistencyException', reason: 'time interval must be greater than 0'"
        #expect(app.terminationReason == .uncaughtSignal)
        #expect(lines.first?.contains(reason) == true)
        #expect(lines.last?.hasSuffix(reason) == true)
        #expect(lines.contains { $0.contains("Thread 0") }, "there is a backtrace between them: \(text)")
    }

    @Test("UIApplicationMain in main.swift does the same, as in apps without @main")
    func oldEntry() throws {
        #expect(try output(of: "OldEntryApp") == "launched true true\nactive true\n")
    }

    @Test("Background work ends by itself, or by its handler after 30 seconds in the background")
    func backgroundTasks() async throws {
        final class Log { var expired: [String] = [] }
        let log = Log()
        let phone = await TestPhone().opening { PlainApp() }
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
        try await eventually("the task expires") { !log.expired.isEmpty }
        #expect(log.expired == ["late"])
    }

    @Test("Background refresh follows the user's switch")
    func refreshStatus() async {
        let phone = await TestPhone().opening { PlainApp() }
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
        let phone = await TestPhone().opening { Listening() }
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

    @Test("Work that begins in the background has the rest of the time; in front there is no end to it")
    func remainingTime() async throws {
        final class Log { var expired = 0 }
        let log = Log()
        let phone = await TestPhone().opening { PlainApp() }
        func remaining() -> TimeInterval? {
            phone.device.inside(lab) { UIApplication.shared.backgroundTimeRemaining }
        }
        #expect(remaining() == .greatestFiniteMagnitude)
        await phone.background(.lab)
        #expect(remaining() == 30)
        await phone.advance(by: .seconds(20))
        #expect(remaining() == 10)
        await phone.device.inside(lab) { _ = UIApplication.shared.beginBackgroundTask { log.expired += 1 } }
        await phone.advance(by: .seconds(10))
        try await eventually("the task expires") { log.expired > 0 }
        #expect(log.expired == 1 && remaining() == 0)
        await phone.push(.silent, to: .lab)
        #expect(remaining() == 30)
    }

    @Test("A task that has ended leaves nothing of its time to that of the next push")
    func timeAnew() async throws {
        final class Log {
            var expired = 0
            var task = UIBackgroundTaskIdentifier.invalid
        }
        let log = Log()
        let phone = await TestPhone().opening { PlainApp() }
        await phone.background(.lab)
        func begin() async {
            await phone.device.inside(lab) {
                log.task = UIApplication.shared.beginBackgroundTask { log.expired += 1 }
            }
        }
        await begin()
        await phone.device.inside(lab) { UIApplication.shared.endBackgroundTask(log.task) }
        await phone.advance(by: .seconds(29))
        await phone.push(.silent, to: .lab)
        await begin()
        await phone.advance(by: .seconds(29))
        #expect(log.expired == 0)
        await phone.advance(by: .seconds(1))
        try await eventually("the task expires") { log.expired > 0 }
        #expect(log.expired == 1)
    }

    @Test("URLs of the system's schemes leave the app; others, and an app behind, are refused")
    func urls() async throws {
        let phone = TestPhone()
        phone.install(.lab) { PlainApp() }
        func open(_ text: String) async throws -> Bool? {
            let url = try #require(URL(string: text))
            await phone.open(.lab)
            let opened = await phone.device.inside(lab) { await UIApplication.shared.open(url) }
            await phone.device.settled()
            return opened
        }
        #expect(try await open(UIApplication.openSettingsURLString) == true)
        #expect(phone.device.condition(of: lab) == .background && phone.device.screen.front == nil)
        #expect(phone.device.recentDeviceEvents.contains { $0.kind == .changed("opened app-settings:") })
        #expect(try await open(UIApplication.openNotificationSettingsURLString) == true)
        #expect(try await open("https://example.com/a") == true)
        #expect(try await open("example-app://a") == false)
        #expect(phone.device.condition(of: lab) == .active)
        await phone.background(.lab)
        let url = try #require(URL(string: "https://example.com"))
        #expect(await phone.device.inside(lab) { await UIApplication.shared.open(url) } == false)
    }

    @Test("Battery and orientation are the profile's, for an app that asks for them")
    func device() async {
        var profile = SystemProfile.iOS(17)
        profile.batteryLevel = 0.5
        profile.isCharging = true
        profile.orientation = 3
        let phone = await TestPhone(profile).opening { PlainApp() }
        await phone.device.inside(lab) {
            let device = UIDevice.current
            #expect(device.batteryLevel == -1 && device.batteryState == .unknown && device.orientation == .unknown)
            device.isBatteryMonitoringEnabled = true
            device.beginGeneratingDeviceOrientationNotifications()
            #expect(device.batteryLevel == 0.5 && device.batteryState == .charging)
            #expect(device.orientation == .landscapeLeft && device.orientation.isLandscape)
            device.endGeneratingDeviceOrientationNotifications()
            #expect(device.orientation == .unknown)
        }
    }

    @Test("Small members of the app and the device: stored, or those of a phone that nobody turns")
    func smallMembers() async {
        let phone = await TestPhone().opening { PlainApp() }
        await phone.device.inside(lab) {
            let app = UIApplication.shared
            #expect(!app.isIdleTimerDisabled && app.alternateIconName == nil && app.supportsAlternateIcons)
            app.isIdleTimerDisabled = true
            app.setAlternateIconName("Dark") { #expect($0 == nil) }
            #expect(app.isIdleTimerDisabled && app.alternateIconName == "Dark")
            #expect(app.preferredContentSizeCategory == .large && UIDevice.current.localizedModel == "iPhone")
            var refused = 0
            app.requestSceneSessionActivation(nil, userActivity: nil, options: nil) { _ in refused += 1 }
            let own = app.openSessions.first
            app.requestSceneSessionActivation(own, userActivity: nil, options: .init()) { _ in refused += 1 }
            #expect(refused == 1)
            own?.stateRestorationActivity = NSUserActivity(activityType: "com.example.page")
            #expect(own?.stateRestorationActivity?.activityType == "com.example.page")
            UIPasteboard.general.string = "text"
            #expect(UIPasteboard.general.hasStrings && UIPasteboard.general.changeCount == 1)
            #expect(UIApplicationOpenNotificationSettingsURLString == UIApplication.openNotificationSettingsURLString)
            #expect(UIDevice.orientationDidChangeNotification.rawValue == "UIDeviceOrientationDidChangeNotification")
            let refresh = UIApplication.backgroundRefreshStatusDidChangeNotification
            #expect(refresh.rawValue == "UIApplicationBackgroundRefreshStatusDidChangeNotification")
        }
    }

    @Test("One responder is the first; it gives way if it resigns")
    func firstResponder() async {
        final class Field: UIView {
            var resigns = true
            override var canBecomeFirstResponder: Bool { true }
            override var canResignFirstResponder: Bool { resigns }
        }
        let phone = await TestPhone().opening { PlainApp() }
        await phone.device.inside(lab) {
            let one = Field()
            let two = Field()
            #expect(!UIView().becomeFirstResponder())
            #expect(one.becomeFirstResponder() && one.isFirstResponder)
            one.resigns = false
            #expect(!two.becomeFirstResponder() && one.isFirstResponder)
            one.resigns = true
            #expect(two.becomeFirstResponder() && two.isFirstResponder && !one.isFirstResponder)
        }
    }
}
