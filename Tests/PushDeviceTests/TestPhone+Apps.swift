import PosthornTesting
import PushDevice
import Testing
import UIKit

extension TestPhone {
    /// Installs an app, and opens it.
    func opening(
        _ app: InstalledApp = .lab,
        _ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) async -> TestPhone {
        install(app, delegate: delegate)
        await open(app)
        return self
    }

    /// The delegate of a running app.
    @MainActor
    func delegate<Delegate: UIApplicationDelegate>(
        _ type: Delegate.Type,
        of app: InstalledApp = .lab
    ) throws -> Delegate {
        try #require(device.delegate(of: app.bundleID, as: type))
    }

    /// Runs `body` with the notification centre as code of a running app.
    @MainActor
    func inCentre<Result: Sendable>(
        of app: InstalledApp = .lab,
        _ body: @MainActor (UNUserNotificationCenter) async throws -> Result
    ) async rethrows -> Result? {
        try await device.inside(app.bundleID) { try await body(.current()) }
    }
}
