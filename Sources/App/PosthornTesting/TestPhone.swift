public import DeviceLink
import Foundation
public import PushClock
public import PushDevice
public import PushModel
import Synchronization
public import SystemPort
public import UIKit
public import UserNotificationsUI

/// A phone for tests: a device with a virtual clock and its own courier, without a server.
///
/// Each action returns when the app has processed the resulting events. To wait for completion handlers that the app calls
/// later, use ``journeys`` or ``Device/deviceEvents(replaying:)``.
public final class TestPhone: Sendable {
    /// The emulated device.
    public let device: Device
    /// The device's clock, which stands still until a test moves it.
    public let clock: VirtualClock
    /// The journeys of all notifications on the device.
    public let journeys = JourneyRecorder()
    /// The courier that delivers pushes to the device.
    public let courier = TestCourier()
    /// The dialer of the device's connections.
    public let dialer = LoopbackDialer()
    /// The URL of ``courier``.
    public static let courierURL = "ws://courier.test"

    let pushes = Mutex(0)
    let recorder: RunRecorder

    /// Creates a phone that is switched on and connected to its courier.
    ///
    /// - Parameters:
    ///   - name: the phone's name.
    ///   - system: the emulated version of iOS.
    ///   - prompts: the user's response when an app asks for permission.
    ///   - seed: the seed of its random numbers; the same seed gives the same ids.
    ///   - clock: the phone's clock, which phones may share.
    public convenience init(
        name: String = "iPhone",
        system: String = "17.0",
        prompts: PromptPolicy = .allow,
        seed: UInt64 = 1,
        clock: VirtualClock = VirtualClock()
    ) {
        self.init(SystemProfile(version: system), name: name, prompts: prompts, seed: seed, clock: clock)
    }

    /// Creates a phone that is switched on and connected to its courier.
    ///
    /// - Parameters:
    ///   - profile: the emulated system, such as `.iOS(17)`.
    ///   - name: the phone's name.
    ///   - prompts: the user's response when an app asks for permission.
    ///   - seed: the seed of its random numbers; the same seed gives the same ids.
    ///   - clock: the phone's clock, which phones may share.
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
        recorder = RunRecorder(device)
        ContextLoss.report()
        dialer.serve(Self.courierURL, courier)
        device.connect(courier: Self.courierURL)
    }

    deinit { device.shutdown() }

    /// Installs an app without starting it.
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

    /// Installs an app with content extensions that declare more than a category, without starting it.
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

    /// Installs an app with a provisioning profile, without starting it.
    ///
    /// - Parameters:
    ///   - app: the app and its declarations; its environment is that of the profile.
    ///   - profile: the profile that allows the app on the phone.
    ///   - delegate: creates the app's delegate, once for each launch.
    /// - Throws: the reason why the profile does not allow the app on this phone.
    public func install(
        _ app: InstalledApp,
        profile: ProvisioningProfile,
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) throws(ProvisioningProfile.Refusal) {
        try device.install(app, profile: profile, delegate: delegate)
    }

    /// Opens the app, as a tap on its icon does.
    public func open(_ app: InstalledApp) async {
        device.open(app.bundleID)
        await device.settled()
    }

    /// Puts the app into the background.
    public func background(_ app: InstalledApp) async {
        device.background(app.bundleID)
        await device.settled()
    }

    /// Swipes the app away, as the user does.
    public func forceQuit(_ app: InstalledApp) async {
        device.forceQuit(app.bundleID)
        await device.settled()
    }

    /// Ends the app, as the system does.
    public func terminate(_ app: InstalledApp) async {
        device.terminate(app.bundleID)
        await device.settled()
    }

    /// Taps a notification.
    ///
    /// - Returns: false if the notification is not on the screen.
    @discardableResult
    public func tap(_ apnsID: String) async -> Bool {
        let found = device.tap(apnsID)
        await device.settled()
        return found
    }

    /// Clears a notification.
    ///
    /// - Returns: false if the notification is not on the screen.
    @discardableResult
    public func dismiss(_ apnsID: String) async -> Bool {
        let found = device.dismiss(apnsID)
        await device.settled()
        return found
    }

    /// Presses a button of a notification.
    ///
    /// - Parameters:
    ///   - action: the identifier of the button.
    ///   - id: the notification's id.
    /// - Returns: the result of the action.
    @discardableResult
    public func choose(_ action: String, on id: String) async -> UserActionOutcome {
        await perform { $0.choose(action, on: id) }
    }

    /// Replies to a notification.
    ///
    /// - Parameters:
    ///   - text: the text of the reply.
    ///   - action: the identifier of the button that asks for text.
    ///   - id: the notification's id.
    /// - Returns: the result of the action.
    @discardableResult
    public func reply(_ text: String, with action: String, to id: String) async -> UserActionOutcome {
        await perform { $0.reply(text, with: action, to: id) }
    }

    /// Performs another action on the device: `await phone.perform { $0.lock() }`.
    ///
    /// - Parameter act: the user's action.
    /// - Returns: the result of `act`, once the app has processed the resulting events.
    @discardableResult
    public func perform<Result: Sendable>(_ act: @Sendable (Device) -> Result) async -> Result {
        let result = act(device)
        await device.settled()
        return result
    }

    /// Returns the id of an app's local notification, for tapping it and for finding its journey.
    public func local(_ request: String, of app: InstalledApp) -> String { "\(app.bundleID)/\(request)" }

    /// Returns the journey of a notification as text: for the comment of an expectation.
    public func story(of id: String) -> String { journeys.story(of: id) }

    /// All events on the device, one per line, for a file that a failing test leaves behind.
    public var run: String {
        device.recentDeviceEvents.map { "\($0.date.formatted(.iso8601))  \($0.app ?? "-")  \($0.kind)" }
            .joined(separator: "\n")
    }

    /// Moves the phone to another place.
    ///
    /// - Parameter place: the coordinate in degrees. The first place does not count as entering or leaving a region.
    public func move(to place: Coordinate) async {
        await perform { $0.move(to: place) }
    }

    /// Changes an app's location settings, as the user does in Settings.
    ///
    /// - Parameters:
    ///   - app: the app whose settings change.
    ///   - access: the app's new access to the location.
    public func setLocationAccess(of app: InstalledApp, to access: LocationAuthorization) async {
        await perform { $0.setLocationAccess(of: app.bundleID, to: access) }
    }

    /// Answers the permission prompt on the screen.
    public func answerPrompt(_ allow: Bool) async {
        device.answerPrompt(allow)
        await device.settled()
    }

    func hasArrived(_ apnsID: String) -> Bool {
        let arrived = DeviceEvent.Kind.pushArrived(apnsID: apnsID)
        return !journeys.events(of: apnsID).isEmpty || device.recentDeviceEvents.contains { $0.kind == arrived }
    }

    /// Advances the phone's clock from one deadline to the next, so that the effects of each precede the next one.
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
