package import DeviceLink
package import PosthornTesting
package import PushClock
package import PushDevice
package import PushModel

/// An emulated iPhone with apps that are programs of their own.
package struct ProgramPhone: Sendable {
    package let device: PushDevice.Device
    /// In the order in which they were installed.
    package let apps: [InstalledApp]

    /// Installs the apps; nothing of them runs yet.
    ///
    /// - `id`: what the device calls itself on the courier link, from an earlier run; made of chance if nothing is said.
    /// - `key`: what proves that it is that device; made of chance if nothing is said.
    /// - `profile`: what lets the apps onto the phone; without one nobody asks.
    /// - `udid`: by which profiles name the phone; made of chance if nothing is said.
    /// - `output`: hears each line that an app prints, after its name, on any thread.
    /// - Throws: why the profile does not let an app onto the phone.
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
        output: @escaping @Sendable (String) -> Void
    ) throws(ProvisioningProfile.Refusal) {
        device = PushDevice.Device(
            name: name,
            profile: SystemProfile(version: system),
            clock: clock,
            dialer: dialer,
            // The courier link takes the device's journeys home; nobody here listens to them.
            journeys: JourneyRelay(),
            udid: udid,
            id: id,
            key: key
        )
        var apps: [InstalledApp] = []
        for var program in programs {
            if let profile { program.app = try device.provision(program.app, by: profile) }
            device.install(program, output: output)
            apps.append(program.app)
        }
        self.apps = apps
    }

    /// What became of an app that was opened for the first time.
    package enum Opening: Sendable {
        case registered(DeviceToken)
        /// It runs, and has not asked for a device token, or gets none.
        case running
    }

    /// Opens an app for the first time, and gives it some seconds to get its device token.
    ///
    /// - Throws: ``ProgramDoesNotRun`` if it ends before anything of it has run.
    package func open(_ app: InstalledApp) async throws -> Opening {
        device.open(app.bundleID)
        let deviceEvents = device.deviceEvents(replaying: true)
        return try await withThrowingTaskGroup(of: Opening.self) { group in
            group.addTask {
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
            group.addTask {
                // Of the machine's time: the app need not ask.
                try await ContinuousClock().sleep(for: .seconds(5))
                return .running
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .running
        }
    }
}

/// A program that was to be an app has ended, and nothing of an app has run in it.
package struct ProgramDoesNotRun: Error, Sendable, CustomStringConvertible {
    package var bundleID: String
    package var reason: String
    package var description: String { "The app \(bundleID) does not run: \(reason)." }
}
