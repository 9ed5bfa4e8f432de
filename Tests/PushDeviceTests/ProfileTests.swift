import Foundation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import TestSupport
import Testing
import UIKit

@Suite("Provisioning profiles on a device", .suiteLimit)
@MainActor
struct ProfileTests {
    /// Asks for a token and keeps what it is told.
    private final class Asking: UIResponder, UIApplicationDelegate {
        var token: Data?
        var failure: (any Error)?

        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            application.registerForRemoteNotifications()
            return true
        }

        func application(
            _ application: UIApplication,
            didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            token = deviceToken
        }

        func application(
            _ application: UIApplication,
            didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            failure = error
        }
    }

    private let phone = TestPhone()
    private let app = InstalledApp(bundleID: "com.example.app")

    private func profile(
        bundleID: String = "com.example.app",
        environment: APNSEnvironment? = .production,
        devices: Set<String>? = nil,
        days: Double = 365
    ) -> ProvisioningProfile {
        ProvisioningProfile(
            name: "Example",
            id: UUID(),
            teamID: "TEAM123456",
            bundleID: bundleID,
            environment: environment,
            devices: devices,
            created: phone.clock.date,
            expires: phone.clock.date.addingTimeInterval(days * 86400)
        )
    }

    private var delegate: Asking? { phone.device.delegate(of: app.bundleID) }

    @Test("Its aps-environment is that of the device token", arguments: APNSEnvironment.allCases)
    func environment(_ environment: APNSEnvironment) async throws {
        // As it comes from a file: that is the road of the command line.
        let file = try profile(environment: environment, devices: [phone.device.udid]).propertyList()
        try phone.install(app, profile: ProvisioningProfile(file: file)) { Asking() }
        await phone.open(app)
        let token = try #require(delegate?.token)
        #expect(phone.device.token(of: app.bundleID)?.bytes == Array(token))
        let told = phone.device.recentDeviceEvents.compactMap { deviceEvent -> APNSEnvironment? in
            if case .tokenReceived(_, let environment) = deviceEvent.kind { environment } else { nil }
        }
        #expect(told == [environment])
    }

    @Test("Without a push entitlement the app hears error 3000 in the place of a token", arguments: [true, false])
    func noEntitlement(_ hasProfile: Bool) async throws {
        if hasProfile {
            try phone.install(app, profile: profile(environment: nil)) { Asking() }
        } else {
            var app = app
            app.hasPushEntitlement = false
            phone.install(app) { Asking() }
        }
        await phone.open(app)
        let failure = try #require(delegate?.failure) as NSError
        #expect(failure.domain == NSCocoaErrorDomain)
        #expect(failure.code == 3000)
        #expect(
            failure.localizedDescription == "no valid “aps-environment” entitlement string found for application"
        )
        #expect(phone.device.token(of: app.bundleID) == nil)
    }

    @Test("A build without the entitlement in the place of one with it gives the token back")
    func entitlementLost() async throws {
        try phone.install(app, profile: profile()) { Asking() }
        await phone.open(app)
        let token = try #require(phone.device.token(of: app.bundleID))
        try phone.install(app, profile: profile(environment: nil)) { Asking() }
        #expect(phone.courier.unregistered == [token])
        #expect(phone.device.token(of: app.bundleID) == nil)
    }

    @Test("Is refused for another app, on another device, and from the moment of its end on; the error says which")
    func refused() async throws {
        #expect(throws: ProvisioningProfile.Refusal.otherApp(found: "com.example.app", expected: "com.example.other")) {
            try phone.install(app, profile: profile(bundleID: "com.example.other")) { Asking() }
        }
        #expect(throws: ProvisioningProfile.Refusal.otherDevice(phone.device.udid)) {
            try phone.install(app, profile: profile(devices: ["00008110-0000000000000000"])) { Asking() }
        }
        let ends = profile(days: 1)
        await phone.advance(by: .seconds(86400))
        #expect(throws: ProvisioningProfile.Refusal.expired(ends.expires)) {
            try phone.install(app, profile: ends) { Asking() }
        }
        #expect(phone.device.condition(of: app.bundleID) == nil)
    }

    @Test("A device's UDID has Apple's form, is its own, and comes again with the seed")
    func udid() throws {
        #expect(phone.device.udid.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{16}/) != nil)
        #expect(TestPhone(seed: 2).device.udid != phone.device.udid)
        #expect(TestPhone(seed: 1).device.udid == phone.device.udid)
        let named = Device(
            name: "iPhone",
            clock: phone.clock,
            dialer: phone.dialer,
            journeys: phone.journeys,
            udid: "my iPhone"
        )
        #expect(named.udid == "my iPhone")
    }
}
