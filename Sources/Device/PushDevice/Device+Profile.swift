import PushClock
public import PushModel
public import SystemPort

// Provisioning profiles. Source: Apple, "TN3125: Inside Code Signing: Provisioning Profiles", read October 2026.

extension Device {
    /// Puts an app on the device by a provisioning profile, which decides where the app's device token is good, or that it
    /// gets none: error 3000 then comes in its place.
    ///
    /// - Parameters:
    ///   - app: what the app declares; its environment is that of the profile.
    ///   - profile: what lets the app onto the device.
    ///   - serviceExtension: starts a process of the app's service extension, if it has one.
    ///   - contentExtensions: the app's content extensions. Of two for one category the first has it.
    ///   - launch: starts a process of the app: makes its end for the port that it is given.
    /// - Throws: why the profile does not let the app onto this device; nothing has changed then.
    public func install(
        _ app: InstalledApp,
        profile: ProvisioningProfile,
        serviceExtension: (@Sendable (any SystemPort) -> any AppEndpoint)? = nil,
        contentExtensions: [ContentExtensionProgram] = [],
        launch: @escaping @Sendable (any SystemPort) -> any AppEndpoint
    ) throws(ProvisioningProfile.Refusal) {
        let signed = try provision(app, by: profile)
        install(signed, serviceExtension: serviceExtension, contentExtensions: contentExtensions, launch: launch)
    }

    /// The app as a provisioning profile lets it onto this device.
    ///
    /// - Parameters:
    ///   - app: what the app declares.
    ///   - profile: what says in which environment its device token is good, if it gets one.
    /// - Returns: the app with environment and push entitlement of the profile.
    /// - Throws: why the profile does not let it onto this device.
    public func provision(
        _ app: InstalledApp,
        by profile: ProvisioningProfile
    ) throws(ProvisioningProfile.Refusal) -> InstalledApp {
        try profile.check(bundleID: app.bundleID, device: udid, at: clock.date)
        var signed = app
        signed.environment = profile.environment ?? app.environment
        signed.hasPushEntitlement = profile.environment != nil
        return signed
    }

    /// In the form of iPhones since 2018: eight digits of the chip, sixteen of its own.
    static func makeUDID(_ seed: UInt64) -> String {
        // Apart from the chance of the device's id, which nobody may guess from what a profile lists.
        var source = RandomSource(SplitMix(seed: ~seed))
        return "00008110-" + source.hexadecimal(bytes: 8).uppercased()
    }
}
