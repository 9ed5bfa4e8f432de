public import PushDevice
public import PushModel
import SystemPort
public import UIKit
public import UserNotificationsUI

extension Device {
    /// Puts a UIKit app on the device. Nothing of it runs before it is opened or woken.
    ///
    /// - Parameters:
    ///   - app: what the app declares.
    ///   - serviceExtension: makes the principal object of the app's service extension, once for each push.
    ///   - contentExtensions: make the view controllers of the app's content extensions, by the category that they show.
    ///   - delegate: makes the app's delegate, once for each launch.
    public func install(
        _ app: InstalledApp,
        serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        contentExtensions: [String: @MainActor @Sendable () -> any UIViewController & UNNotificationContentExtension] =
            [:],
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) {
        let declared = contentExtensions.map { category, make in ContentExtension(category: category, make) }
        install(app, serviceExtension: serviceExtension, contentExtensions: declared, delegate: delegate)
    }

    /// Puts a UIKit app on the device, with content extensions that declare more than a category.
    ///
    /// - Parameters:
    ///   - app: what the app declares.
    ///   - serviceExtension: makes the principal object of the app's service extension, once for each push.
    ///   - contentExtensions: the app's content extensions.
    ///   - delegate: makes the app's delegate, once for each launch.
    public func install(
        _ app: InstalledApp,
        serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        contentExtensions: [ContentExtension],
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) {
        var extensionLauncher: (@Sendable (any SystemPort) -> any AppEndpoint)?
        if let serviceExtension {
            extensionLauncher = { port in ExtensionHost(port: port, make: serviceExtension) }
        }
        let programs = contentExtensions.map { declared in
            ContentExtensionProgram(info: declared.info) { port in
                ContentExtensionHost(port: port) { declared.make() }
            }
        }
        install(app, serviceExtension: extensionLauncher, contentExtensions: programs) { port in
            AppHost(port: port, makeDelegate: delegate)
        }
    }

    /// Puts a UIKit app on the device by a provisioning profile, which decides where the app's device token is good, or that
    /// it gets none: error 3000 then comes in its place.
    ///
    /// - Parameters:
    ///   - app: what the app declares; its environment is that of the profile.
    ///   - profile: what lets the app onto the device.
    ///   - serviceExtension: makes the principal object of the app's service extension, once for each push.
    ///   - contentExtensions: the app's content extensions.
    ///   - delegate: makes the app's delegate, once for each launch.
    /// - Throws: why the profile does not let the app onto this device; nothing has changed then.
    public func install(
        _ app: InstalledApp,
        profile: ProvisioningProfile,
        serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        contentExtensions: [ContentExtension] = [],
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) throws(ProvisioningProfile.Refusal) {
        let signed = try provision(app, by: profile)
        install(signed, serviceExtension: serviceExtension, contentExtensions: contentExtensions, delegate: delegate)
    }

    /// Runs `body` as code of the app, on the main actor: `UIApplication.shared` and the like mean this app there.
    ///
    /// - Returns: what `body` returns; nil if the app does not run.
    @MainActor
    public func inside<Result>(_ bundleID: String, _ body: @MainActor () throws -> Result) rethrows -> Result? {
        guard let port = port(of: bundleID) else { return nil }
        return try CurrentPort.$bound.withValue(port) { try body() }
    }

    /// Runs `body` as code of the app, on the main actor, and waits for it.
    ///
    /// - Returns: what `body` returns; nil if the app does not run.
    @MainActor
    public func inside<Result: Sendable>(
        _ bundleID: String,
        _ body: @MainActor () async throws -> Result
    ) async rethrows -> Result? {
        guard let port = port(of: bundleID) else { return nil }
        return try await CurrentPort.$bound.withValue(port) { try await body() }
    }

    /// The app's delegate; nil if the app does not run, or its delegate is of another type.
    @MainActor
    public func delegate<Delegate: UIApplicationDelegate>(
        of bundleID: String,
        as type: Delegate.Type = Delegate.self
    ) -> Delegate? {
        inside(bundleID) { UIApplication.shared.delegate as? Delegate } ?? nil
    }

    /// The first happening, past or to come, that `matches`; nil if the device is switched off before.
    public func first(where matches: @Sendable (DeviceEvent) -> Bool) async -> DeviceEvent? {
        for await deviceEvent in deviceEvents(replaying: true) where matches(deviceEvent) { return deviceEvent }
        return nil
    }
}
