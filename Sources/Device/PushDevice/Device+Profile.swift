import PushClock
public import PushModel

// Provisioning profiles. Source: Apple, "TN3125: Inside Code Signing: Provisioning Profiles", read October 2026.

extension Device {
    /// Returns the app as a provisioning profile permits it on this device.
    ///
    /// - Parameters:
    ///   - app: the app's declarations.
    ///   - profile: determines the environment of the device token, if the app gets one.
    /// - Returns: the app with the profile's environment and push entitlement.
    /// - Throws: the reason the profile does not permit the app on this device.
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

    /// Creates a UDID in the form of iPhones since 2018: eight digits for the chip, sixteen for the device.
    static func makeUDID(_ seed: UInt64) -> String {
        // Independent of the randomness behind the device's id, which must not be guessable from the list in a profile.
        var source = RandomSource(SplitMix(seed: ~seed))
        return "00008110-" + source.hexadecimal(bytes: 8).uppercased()
    }
}
