public import PushDevice
public import PushModel
import SystemPort
public import UIKit
public import UserNotificationsUI

extension Device {
    /// Installs a UIKit app on the device. Its code does not run until it is opened or woken.
    ///
    /// - Parameters:
    ///   - app: the app and its declarations.
    ///   - serviceExtension: creates the principal object of the app's service extension, once for each push.
    ///   - contentExtensions: create the view controllers of the app's content extensions, by category.
    ///   - delegate: creates the app's delegate, once for each launch.
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

    /// Installs a UIKit app with content extensions that declare more than a category.
    ///
    /// - Parameters:
    ///   - app: the app and its declarations.
    ///   - serviceExtension: creates the principal object of the app's service extension, once for each push.
    ///   - contentExtensions: the app's content extensions.
    ///   - delegate: creates the app's delegate, once for each launch.
    public func install(
        _ app: InstalledApp,
        serviceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        contentExtensions: [ContentExtension],
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) {
        var extensionLauncher: Launcher?
        if let serviceExtension { extensionLauncher = { port in ExtensionHost(port: port, make: serviceExtension) } }
        let programs = contentExtensions.map { declared in
            ContentExtensionProgram(info: declared.info) { port in
                ContentExtensionHost(port: port) { declared.make() }
            }
        }
        install(app, serviceExtension: extensionLauncher, contentExtensions: programs) { port in
            AppHost(port: port, makeDelegate: delegate)
        }
    }

    /// Installs a UIKit app with a provisioning profile, which determines the environment of the app's device token. Without push
    /// in the profile, the app gets error 3000 instead of a token.
    ///
    /// - Parameters:
    ///   - app: the app and its declarations; its environment is that of the profile.
    ///   - profile: the profile that allows the app on the device.
    ///   - serviceExtension: creates the principal object of the app's service extension, once for each push.
    ///   - contentExtensions: the app's content extensions.
    ///   - delegate: creates the app's delegate, once for each launch.
    /// - Throws: the reason why the profile does not allow the app on this device, which is then unchanged.
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

    /// Runs `body` as the app's code on the main actor, where `UIApplication.shared` and the like refer to this app.
    ///
    /// - Returns: what `body` returns; nil if the app does not run.
    @MainActor
    public func inside<Result>(_ bundleID: String, _ body: @MainActor () throws -> Result) rethrows -> Result? {
        guard let port = port(of: bundleID) else { return nil }
        return try CurrentPort.with(port) {
            defer { Transitions.of(port).finish() }
            return try body()
        }
    }

    /// Runs `body` as the app's code on the main actor, and waits for it.
    ///
    /// - Returns: what `body` returns; nil if the app does not run.
    @MainActor
    public func inside<Result: Sendable>(
        _ bundleID: String,
        _ body: @MainActor () async throws -> Result
    ) async rethrows -> Result? {
        guard let port = port(of: bundleID) else { return nil }
        return try await CurrentPort.with(port) {
            let result = try await body()
            Transitions.of(port).finish()
            return result
        }
    }

    /// Returns the app's delegate; nil if the app does not run, or its delegate has another type.
    @MainActor
    public func delegate<Delegate: UIApplicationDelegate>(
        of bundleID: String,
        as type: Delegate.Type = Delegate.self
    ) -> Delegate? {
        inside(bundleID) { UIApplication.shared.delegate as? Delegate } ?? nil
    }
}

/// An app's content extension: the declarations of its Info.plist, and its view controller.
public struct ContentExtension: Sendable {
    /// Creates the view controller of the extension.
    public typealias Make = @MainActor @Sendable () -> any UIViewController & UNNotificationContentExtension

    /// The declarations of the extension's Info.plist.
    public var info: ContentExtensionInfo
    let make: Make

    /// Creates an extension with these declarations.
    public init(info: ContentExtensionInfo, _ make: @escaping Make) {
        self.info = info
        self.make = make
    }

    /// Creates an extension that declares only one category.
    public init(category: String, _ make: @escaping Make) {
        self.init(info: ContentExtensionInfo(categories: [category]), make)
    }

    /// Creates an extension with its Info.plist.
    ///
    /// - Parameters:
    ///   - info: the whole file, of which `NSExtension.NSExtensionAttributes` is used.
    ///   - make: creates the view controller, once for each expanded view.
    /// - Throws: ``PushDevice/ContentExtensionInfo/Problem`` if a required key is missing.
    public init(info: JSONObject, _ make: @escaping Make) throws(ContentExtensionInfo.Problem) {
        self.init(info: try ContentExtensionInfo(info: info), make)
    }
}
