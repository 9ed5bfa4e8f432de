package import AppInstallation
package import DeviceLink
package import Foundation
package import PushClock
package import PushDevice
package import PushModel

/// An emulated iPhone whose apps run as processes of their own.
package struct ProgramPhone: Sendable {
    package let device: PushDevice.Device
    /// The apps, in the order in which they were installed.
    package let apps: [InstalledApp]

    /// Installs the apps without starting them.
    ///
    /// `id` is the device's id on the courier link, from an earlier run; random by default. `key` is the key that
    /// authenticates the device; random by default. `profile` is the provisioning profile of the apps; not checked if
    /// nil. `udid` is the phone's UDID in provisioning profiles; random by default. `appData` is a folder for what the
    /// apps store, which a later run with the same `id` reads; nil keeps it in memory. `output` receives each line that
    /// an app prints, after the app's name, on any thread.
    /// - Throws: the reason why the profile does not allow an app on the phone.
    package init(
        name: String,
        system: String,
        programs: [ProgramApp],
        clock: any CivilClock,
        dialer: any LinkDialer,
        id: String? = nil,
        key: String? = nil,
        profile: ProvisioningProfile? = nil,
        udid: String? = nil,
        appData: URL? = nil,
        output: @escaping @Sendable (String) -> Void
    ) throws(ProvisioningProfile.Refusal) {
        device = PushDevice.Device(
            name: name,
            profile: SystemProfile(version: system),
            clock: clock,
            dialer: dialer,
            // The device reports its journeys over the courier link; nothing reads them here.
            journeys: JourneyRelay(),
            udid: udid,
            id: id,
            key: key,
            appData: appData
        )
        var apps: [InstalledApp] = []
        for var program in programs {
            if let profile { program.app = try device.provision(program.app, by: profile) }
            device.install(program, output: output)
            apps.append(program.app)
        }
        self.apps = apps
    }

    /// The result of opening an app for the first time.
    package enum Opening: Sendable {
        case registered(DeviceToken)
        /// The app runs, but has not asked for a device token or gets none.
        case running
    }

    /// Opens an app for the first time and waits up to five seconds for its device token.
    ///
    /// - Throws: ``ProgramDoesNotRun`` if the program ends before it has run as an app.
    package func open(_ app: InstalledApp) async throws -> Opening {
        device.open(app.bundleID)
        let deviceEvents = device.deviceEvents(replaying: true)
        // In the machine's time; the app need not ask for a token.
        let opening = try await withTimeout(.seconds(5)) { () -> Opening in
            var hasRun = false
            for await deviceEvent in deviceEvents where deviceEvent.app == app.bundleID {
                switch deviceEvent.kind {
                case .callback(let name, _, _):
                    hasRun = true
                    if name.hasPrefix("application(_:didFailToRegisterForRemoteNotifications") { return .running }
                case .tokenReceived(let token, _): return .registered(token)
                case .processEnded(let reason):
                    if !hasRun { throw ProgramDoesNotRun(bundleID: app.bundleID, reason: reason) }
                    return .running
                default: break
                }
            }
            return .running
        }
        return opening ?? .running
    }
}

/// The error for a program that ended without having run as an app.
package struct ProgramDoesNotRun: Error, Sendable, CustomStringConvertible {
    package var bundleID: String
    package var reason: String
    package var description: String { "The app \(bundleID) does not run: \(reason)." }
}
