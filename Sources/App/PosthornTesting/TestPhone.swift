public import DeviceLink
import Foundation
public import PushClock
public import PushDevice
public import PushModel
import Synchronization
public import SystemPort
public import UIKit
public import UserNotificationsUI

/// A phone for a test: a device under a virtual clock, with a courier of its own and no server.
///
/// Each action returns when the app has taken the events that follow from it. Handlers that the app keeps for later are
/// awaited through ``journeys`` or ``Device/deviceEvents(replaying:)``.
public final class TestPhone: Sendable {
    public let device: Device
    public let clock: VirtualClock
    public let journeys = JourneyRecorder()
    public let courier = TestCourier()
    public let dialer = LoopbackDialer()
    /// Where ``courier`` answers.
    public static let courierURL = "ws://courier.test"

    private let pushes = Mutex(0)

    /// A phone that is switched on and connected to its courier.
    ///
    /// - Parameters:
    ///   - name: what its owner calls it.
    ///   - system: the version of iOS that it plays.
    ///   - prompts: what happens when an app asks for permission.
    ///   - seed: of its chance: the same seed gives the same ids.
    ///   - clock: its time; phones may share one.
    public convenience init(
        name: String = "iPhone",
        system: String = "17.0",
        prompts: PromptPolicy = .allow,
        seed: UInt64 = 1,
        clock: VirtualClock = VirtualClock()
    ) {
        self.init(SystemProfile(version: system), name: name, prompts: prompts, seed: seed, clock: clock)
    }

    /// A phone that is switched on and connected to its courier.
    ///
    /// - Parameters:
    ///   - profile: `.iOS(17)`, for example.
    ///   - name: what its owner calls it.
    ///   - prompts: what happens when an app asks for permission.
    ///   - seed: of its chance: the same seed gives the same ids.
    ///   - clock: its time; phones may share one.
    public init(
        _ profile: SystemProfile,
        name: String = "iPhone",
        prompts: PromptPolicy = .allow,
        seed: UInt64 = 1,
        clock: VirtualClock = VirtualClock()
    ) {
        self.clock = clock
        device = Device(
            name: name,
            profile: profile,
            clock: clock,
            dialer: dialer,
            journeys: journeys,
            random: SplitMix(seed: seed),
            prompts: prompts
        )
        dialer.serve(Self.courierURL, courier)
        device.connect(courier: Self.courierURL)
    }

    deinit { device.shutdown() }

    /// Puts an app on the phone; nothing of it runs yet.
    public func install(
        _ app: InstalledApp,
        serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        contentExtensions: [String: @MainActor @Sendable () -> any UIViewController & UNNotificationContentExtension] =
            [:],
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) {
        device.install(
            app,
            serviceExtension: serviceExtension,
            contentExtensions: contentExtensions,
            delegate: delegate
        )
    }

    /// Puts an app on the phone, with content extensions that declare more than a category; nothing of it runs yet.
    public func install(
        _ app: InstalledApp,
        serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        contentExtensions: [ContentExtension],
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) {
        device.install(
            app,
            serviceExtension: serviceExtension,
            contentExtensions: contentExtensions,
            delegate: delegate
        )
    }

    /// Puts an app on the phone by a provisioning profile; nothing of it runs yet.
    ///
    /// - Parameters:
    ///   - app: what the app declares; its environment is that of the profile.
    ///   - profile: what lets the app onto the phone.
    ///   - delegate: makes the app's delegate, once for each launch.
    /// - Throws: why the profile does not let the app onto this phone.
    public func install(
        _ app: InstalledApp,
        profile: ProvisioningProfile,
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) throws(ProvisioningProfile.Refusal) {
        try device.install(app, profile: profile, delegate: delegate)
    }

    public func open(_ app: InstalledApp) async {
        device.open(app.bundleID)
        await device.settled()
    }

    public func background(_ app: InstalledApp) async {
        device.background(app.bundleID)
        await device.settled()
    }

    /// The person swipes the app away.
    public func forceQuit(_ app: InstalledApp) async {
        device.forceQuit(app.bundleID)
        await device.settled()
    }

    /// The system ends the app.
    public func terminate(_ app: InstalledApp) async {
        device.terminate(app.bundleID)
        await device.settled()
    }

    /// Taps a notification.
    ///
    /// - Returns: false if it is not on the screen.
    @discardableResult
    public func tap(_ apnsID: String) async -> Bool {
        let found = device.tap(apnsID)
        await device.settled()
        return found
    }

    /// Clears a notification.
    ///
    /// - Returns: false if it is not on the screen.
    @discardableResult
    public func dismiss(_ apnsID: String) async -> Bool {
        let found = device.dismiss(apnsID)
        await device.settled()
        return found
    }

    /// Chooses a button of a notification.
    ///
    /// - Parameters:
    ///   - action: the identifier of the button.
    ///   - id: of the notification.
    /// - Returns: what became of it.
    @discardableResult
    public func choose(_ action: String, on id: String) async -> PersonOutcome {
        await person { $0.choose(action, on: id) }
    }

    /// Writes an answer to a notification and sends it.
    ///
    /// - Parameters:
    ///   - text: what the person writes.
    ///   - action: the identifier of the button that asks for text.
    ///   - id: of the notification.
    /// - Returns: what became of it.
    @discardableResult
    public func reply(_ text: String, with action: String, to id: String) async -> PersonOutcome {
        await person { $0.reply(text, with: action, to: id) }
    }

    /// Does something else with the device: `await phone.person { $0.lock() }`.
    ///
    /// - Parameter act: what the person does.
    /// - Returns: what `act` returns, when the app has taken what follows from it.
    @discardableResult
    public func person<Result: Sendable>(_ act: @Sendable (Device) -> Result) async -> Result {
        let result = act(device)
        await device.settled()
        return result
    }

    /// The id by which a local notification of an app is tapped, and its journey found.
    public func local(_ request: String, of app: InstalledApp) -> String { "\(app.bundleID)/\(request)" }

    /// The journey of a notification as a person reads it: for the comment of an expectation.
    public func story(of id: String) -> String { journeys.story(of: id) }

    /// All that happened on the device, one line each, for a file that a failing test leaves behind.
    public var run: String {
        device.recentDeviceEvents.map { "\($0.date.formatted(.iso8601))  \($0.app ?? "-")  \($0.kind)" }
            .joined(separator: "\n")
    }

    /// Carries the phone to another place.
    ///
    /// - Parameter place: in degrees. The first one is no crossing of any region's border.
    public func move(to place: Coordinate) async {
        await person { $0.move(to: place) }
    }

    /// Changes an app's location settings, as a person does under Settings.
    ///
    /// - Parameters:
    ///   - app: whose settings.
    ///   - access: what it may know from now on.
    public func setLocationAccess(of app: InstalledApp, to access: LocationAuthorization) async {
        await person { $0.setLocationAccess(of: app.bundleID, to: access) }
    }

    public func answerPrompt(_ allow: Bool) async {
        device.answerPrompt(allow)
        await device.settled()
    }

    /// Sends a push to an app of this phone.
    ///
    /// - Parameters:
    ///   - payload: `["aps": ["alert": "Hello"]]`, for example.
    ///   - app: who gets it.
    ///   - collapseID: a later push with the same takes the place of this one.
    /// - Returns: the apns-id, under which the journey is found.
    @discardableResult
    public func push(_ payload: JSONValue, to app: InstalledApp, collapseID: String? = nil) async -> String {
        let number = pushes.withLock { number in
            number += 1
            return number
        }
        let digits = String(number, radix: 16)
        let push = CourierPush(
            apnsID: "00000000-0000-4000-8000-\(String(repeating: "0", count: 12 - digits.count))\(digits)",
            topic: app.bundleID,
            environment: app.environment,
            pushType: .alert,
            priority: 10,
            collapseID: collapseID,
            payload: payload.bytes
        )
        courier.send(push, to: device.id)
        // What an app in a process of its own asks for is done on other threads; one of them may be the one that hands it over.
        while device.isConnected, !hasArrived(push.apnsID), !Task.isCancelled { await Task.yield() }
        await device.settled()
        return push.apnsID
    }

    private func hasArrived(_ apnsID: String) -> Bool {
        let arrived = DeviceEvent.Kind.pushArrived(apnsID: apnsID)
        return !journeys.events(of: apnsID).isEmpty || device.recentDeviceEvents.contains { $0.kind == arrived }
    }

    /// Moves the phone's time on, from one deadline to the next, so that what follows from one is there before another.
    public func advance(by duration: Duration) async {
        let target = clock.now.advanced(by: duration)
        while let next = clock.nextDeadline, next <= target {
            await clock.advance(by: clock.now.duration(to: next))
            await device.settled()
        }
        await clock.advance(by: clock.now.duration(to: target))
        await device.settled()
    }
}
