import DeviceLink
import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

@testable import JPush

/// An app that does nothing by itself.
final class BareApp: UIResponder, UIApplicationDelegate {}

/// An app on a phone, and a service for its SDK.
@MainActor
final class JPushStage {
    struct Posted {
        var name: String
        var info: [AnyHashable: Any]
    }

    let phone: TestPhone
    let service = TestService()
    let app: InstalledApp
    private let posts = PostBox()

    init(
        _ profile: SystemProfile = .iOS(17),
        info: JSONObject = [:],
        link: String? = TestService.url,
        from date: Date = Date(timeIntervalSince1970: 1_767_596_400),
        serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate = { BareApp() }
    ) async {
        // Notifications are those of all apps of the process: the name tells whose.
        app = InstalledApp(bundleID: "com.example.jpush.\(UUID().uuidString)", link: link, info: info)
        phone = TestPhone(profile, clock: VirtualClock(date: date))
        phone.dialer.serve(TestService.url, service)
        phone.install(app, serviceExtension: serviceExtension, delegate: delegate)
        posts.listen(to: app.bundleID)
        await phone.open(app)
    }

    @discardableResult
    func inside<Result>(_ body: @MainActor () -> Result) -> Result {
        guard let result = phone.device.inside(app.bundleID, body) else { fatalError("The app does not run.") }
        return result
    }

    func setUp(_ options: [AnyHashable: Any]? = nil, key: String = "key", production: Bool = false) async {
        inside {
            JPUSHService.setup(withOption: options, appKey: key, channel: "test", apsForProduction: production)
        }
        await settle()
    }

    func relaunch() async {
        await phone.forceQuit(app)
        await phone.open(app)
    }

    /// Moves the time on, from one deadline to the next, the SDK's among them.
    func advance(by duration: Duration) async {
        let target = phone.clock.now.advanced(by: duration)
        while let next = phone.clock.nextDeadline, next <= target {
            await phone.clock.advance(by: phone.clock.now.duration(to: next))
            await settle()
        }
        await phone.clock.advance(by: phone.clock.now.duration(to: target))
        await settle()
    }

    /// Waits until everything due is done, and the SDK's work for the main thread has run.
    func settle() async {
        for _ in 0..<3 {
            await phone.settle(within: usualLimit)
            await withCheckedContinuation { continuation in
                MainThread.async { continuation.resume() }
            }
        }
    }

    /// Waits for what a call of the SDK's comes back with.
    func answer<Answer: Sendable>(_ call: @MainActor (@escaping (Answer) -> Void) -> Void) async -> Answer {
        await withCheckedContinuation { continuation in
            inside { call { continuation.resume(returning: $0) } }
        }
    }

    func code(_ call: @MainActor (@escaping JPUSHTagsOperationCompletion) -> Void) async -> Int {
        await answer { done in call { code, _, _ in done(code) } }
    }

    /// The notifications that the SDK posted, without the prefix and the suffix that all names have.
    var posted: [Posted] { posts.all }
    var names: [String] { posted.map(\.name) }
}

/// `@unchecked Sendable`: what was posted is read and written under the lock; the tokens are written at the start alone.
private final class PostBox: @unchecked Sendable {
    private let lock = NSLock()
    private var posted: [JPushStage.Posted] = []
    private var tokens: [any NSObjectProtocol] = []

    var all: [JPushStage.Posted] { lock.withLock { posted } }

    func listen(to bundleID: String) {
        let names: [NSNotification.Name] = [
            .jpfNetworkIsConnecting, .jpfNetworkDidSetup, .jpfNetworkDidClose, .jpfNetworkDidRegister,
            .jpfNetworkFailedRegister, .jpfNetworkDidLogin, .jpfNetworkDidReceiveMessage, .jpfServiceError,
        ]
        for name in names {
            let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] in
                guard CurrentPort.bound?.facts.bundleID == bundleID else { return }
                self?.add($0)
            }
            tokens.append(token)
        }
    }

    private func add(_ note: Notification) {
        let name = note.name.rawValue.dropFirst("kJPF".count).dropLast("Notification".count)
        // Traps off the main thread.
        MainActor.assumeIsolated {}
        let post = JPushStage.Posted(name: String(name), info: note.userInfo ?? [:])
        lock.withLock { posted.append(post) }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}
