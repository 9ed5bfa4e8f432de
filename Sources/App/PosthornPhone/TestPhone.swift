public import DeviceLink
public import Foundation
public import PushClock
public import PushDevice
public import PushModel
import Synchronization
public import SystemPort
public import UIKit
public import UserNotificationsUI

/// A phone for tests: a device with a virtual clock and its own courier, without a server.
///
/// Each action returns when the app has processed the resulting events. ``settle(within:)`` also waits for the tasks that the app has
/// started, and ``wait(for:_:realLimit:fileID:filePath:line:column:until:)`` for a condition, with the phone's clock advancing.
///
/// ## The time
///
/// The phone's clock starts at 1 January 2026, 08:00 UTC, unless a test gives another date (`startingAt:`), and stands still until the
/// test advances it. What the frameworks compute with time follows it: triggers, the dates of notifications, expirations.
/// `Date()` in the app's code does not: it is Foundation's, and returns the time of the machine. An app that adds an interval to
/// `Date()` for a calendar trigger therefore asks for a time that is far from the phone's. Start the phone at the machine's time
/// (`startingAt: .now`) for such an app, or pass the date to the code under test, which can then be tested at any date. The phone's
/// time zone is GMT until `zone:` or `phone.perform { $0.setTimeZone(…) }` sets another.
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
        TestIssues.reportLosses()
        PhoneWatch.note(self)
        dialer.serve(Self.courierURL, courier)
        device.connect(courier: Self.courierURL)
    }

    deinit { device.shutdown() }

    /// Creates a phone whose clock starts at a date.
    ///
    /// - Parameters:
    ///   - date: the date at which the clock starts: `.now` for the machine's time, which the app's `Date()` returns too.
    ///   - profile: the emulated system, such as `.iOS(17)`.
    ///   - zone: the phone's time zone; nil for GMT.
    ///   - name: the phone's name.
    ///   - prompts: the user's response when an app asks for permission.
    ///   - seed: the seed of its random numbers; the same seed gives the same ids.
    public convenience init(
        startingAt date: Date,
        _ profile: SystemProfile = .iOS(17),
        zone: TimeZone? = nil,
        name: String = "iPhone",
        prompts: PromptPolicy = .allow,
        seed: UInt64 = 1
    ) {
        self.init(profile, name: name, prompts: prompts, seed: seed, clock: VirtualClock(date: date))
        if let zone { device.setTimeZone(zone) }
    }

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
    ///
    /// An app that the phone refuses to launch (`device.launchRefusal(of:)`) fails the test with the reason. Where the test is about that,
    /// use `perform { $0.open(app.bundleID) }`.
    public func open(_ app: InstalledApp) async {
        if let reason = device.launchRefusal(of: app.bundleID) {
            TestIssues.record("\(app.bundleID) cannot be opened: \(reason).", at: nil)
        }
        await perform { $0.open(app.bundleID) }
    }

    /// Puts the app into the background.
    public func background(_ app: InstalledApp) async { await perform { $0.background(app.bundleID) } }

    /// Swipes the app away, as the user does.
    public func forceQuit(_ app: InstalledApp) async { await perform { $0.forceQuit(app.bundleID) } }

    /// Ends the app, as the system does.
    public func terminate(_ app: InstalledApp) async { await perform { $0.terminate(app.bundleID) } }

    /// Performs another action on the device: `await phone.perform { $0.lock() }`.
    ///
    /// - Parameter act: the user's action.
    /// - Returns: the result of `act`, once the app has processed the resulting events.
    /// - Throws: the error of `act`.
    @discardableResult
    public func perform<Result: Sendable>(_ act: @Sendable (Device) throws -> Result) async rethrows -> Result {
        let result = try act(device)
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
    public func move(to place: Coordinate) async { await perform { $0.move(to: place) } }

    /// Changes an app's location settings, as the user does in Settings.
    ///
    /// - Parameters:
    ///   - app: the app whose settings change.
    ///   - access: the app's new access to the location.
    public func setLocationAccess(of app: InstalledApp, to access: LocationAuthorization) async {
        await perform { $0.setLocationAccess(of: app.bundleID, to: access) }
    }

    /// Answers the permission prompt on the screen.
    public func answerPrompt(_ allow: Bool) async { await perform { $0.answerPrompt(allow) } }

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
