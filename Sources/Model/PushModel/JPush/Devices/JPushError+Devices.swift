// The codes of the device family: devices, tags, aliases.
extension JPushError {
    package static let deviceInternal = Self(500, code: 7000, "Internal error; the request may be repeated.")
    package static let deviceCredentialsMissing = Self(
        status: 401,
        code: 7001,
        message: "Basic authentication is missing or unreadable; expected base64(appKey:masterSecret)."
    )
    package static func badDeviceParameter(_ message: String) -> Self { Self(400, code: 7002, message) }
    package static let deviceSecretWrong = Self(
        status: 401,
        code: 7004,
        message: "Basic authentication failed: the master secret is not this app key's."
    )
    package static func deviceAppKeyUnknown(_ key: String) -> Self {
        Self(status: 400, code: 7008, message: "The app key '\(key)' is not known to this service.")
    }
    package static func aliasIsFull(_ alias: String) -> Self {
        let message = "The alias '\(alias)' has \(JPushLimits.devicesPerAlias) devices already; unbind one first."
        return Self(status: 400, code: 7015, message: message)
    }

    /// Returns the error for registration ids that no device of the app has: 7013, or 7002 if all of them are unknown (our
    /// choice).
    package static func illegalRegistrationIDs(_ illegal: [String], among all: Int) -> Self {
        let message =
            "\(illegal.count) of \(all) registration ids are not of this app; nothing was changed. See 'illegal_rids'."
        var error = Self(status: 400, code: illegal.count < all ? 7013 : 7002, message: message)
        error.illegalRegistrationIDs = illegal
        return error
    }
}
