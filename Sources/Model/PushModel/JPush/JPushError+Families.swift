// Authentication errors of other families of the API.
extension JPushError {
    package static let reportUnauthorized = Self(401, code: 3001, "Basic authentication failed")
    package static let scheduleUnauthorized = Self(401, code: 8101, "Basic authentication failed.")
}

// The errors of reports.
//
// Source: JPush REST API v3, "Report API", section "Error codes"; the messages are ours.
extension JPushError {
    package static let reportInternal = Self(500, code: 10, "Internal error; the request may be repeated.")
    /// The client is authenticated but may not use this endpoint.
    package static func reportNotPermitted(_ message: String) -> Self { Self(403, code: 2003, message) }
    /// A parameter of a report is missing or invalid (our choice for the latter).
    package static func badReportParameter(_ message: String) -> Self { Self(400, code: 3002, message) }
    /// `start` does not fit `time_unit`, or one of the two is invalid.
    package static func badTimeUnit(_ message: String) -> Self { Self(400, code: 3004, message) }
    /// The report begins before the stored period.
    package static func reportTooOld(_ start: String) -> Self {
        Self(
            400,
            code: 3005,
            """
            'start' is '\(start)', more than \(JPushLimits.userReportDays) days ago; ask for the last \
            \(JPushLimits.userReportDays) days.
            """
        )
    }
    package static let reportTooLong = Self(
        400,
        code: 3005,
        "Users can be asked for \(JPushLimits.userReportDays) days at most; ask for a shorter time."
    )
}

// Source: JPush REST API v3, "Schedule API", section "Error codes".
extension JPushError {
    /// Callers match the beginning of the message.
    package static func badSchedule(_ reason: String) -> Self {
        Self(400, code: 8100, "The schedule-task is invalid:\(reason)")
    }
    package static let noSuchSchedule = Self(404, code: 8104, "Request schedule operation doesn't exist")
    package static let scheduleInternal = Self(500, code: 8200, "Internal error; the request may be repeated.")
    /// An entry in the history of a schedule: the service was not running when a push was due.
    package static func scheduleMissed(_ message: String) -> Self { Self(503, code: 8203, message) }

    static func scheduleWrongKind(_ path: String, _ value: JSONValue, expected: String) -> Self {
        .badSchedule("'\(path)' is \(value.kind); expected \(expected).")
    }
}

// The codes of the device family: devices, tags, aliases.
extension JPushError {
    package static let deviceInternal = Self(500, code: 7000, "Internal error; the request may be repeated.")
    package static let deviceCredentialsMissing = Self(
        401,
        code: 7001,
        "Basic authentication is missing or unreadable; expected base64(appKey:masterSecret)."
    )
    package static func badDeviceParameter(_ message: String) -> Self { Self(400, code: 7002, message) }
    package static let deviceSecretWrong = Self(
        401,
        code: 7004,
        "Basic authentication failed: the master secret is not this app key's."
    )
    package static func deviceAppKeyUnknown(_ key: String) -> Self {
        Self(400, code: 7008, "The app key '\(key)' is not known to this service.")
    }
    package static func aliasIsFull(_ alias: String) -> Self {
        let message = "The alias '\(alias)' has \(JPushLimits.devicesPerAlias) devices already; unbind one first."
        return Self(400, code: 7015, message)
    }

    /// Returns the error for registration ids that no device of the app has: 7013, or 7002 if all of them are unknown (our choice).
    package static func illegalRegistrationIDs(_ illegal: [String], among all: Int) -> Self {
        let message =
            "\(illegal.count) of \(all) registration ids are not of this app; nothing was changed. See 'illegal_rids'."
        var error = Self(400, code: illegal.count < all ? 7013 : 7002, message)
        error.illegalRegistrationIDs = illegal
        return error
    }
}

// The errors of the Admin API.
//
// Source: JPush REST API, "Admin API v1", section "Error codes". Business failures have status 200, according to the table there.
extension JPushError {
    package static let adminMethodNotAllowed = Self(405, code: 4001, "Get HTTP method is not allowed")
    package static func adminParameterMissing(_ name: String) -> Self {
        Self(400, code: 4002, "Request parameter \(name) is null or empty")
    }
    /// The body cannot be read, or a parameter has an invalid value (our choice).
    package static func badAdminParameter(_ message: String) -> Self { Self(400, code: 4003, message) }
    package static let developerUnknown = Self(401, code: 4004, "Authentication failed: dev_key does not exist")
    package static let developerSecretWrong = Self(
        401,
        code: 4005,
        "Authentication failed: dev_key and dev_secret are not matched"
    )
    package static let developerCredentialsMissing = Self(
        401,
        code: 4006,
        "Authentication failed: it is not a valid authorization string"
    )
    package static let developerNotEnabled = Self(
        401,
        code: 4007,
        "Authentication failed: the developer is not enabled; 'posthorn dev enable' does that"
    )

    package static func certificateExists(_ message: String) -> Self { Self(200, code: 1010, message) }
    package static func certificateInvalid(_ message: String) -> Self { Self(200, code: 1012, message) }
    package static func adminAppKeyIllegal(_ key: String) -> Self {
        Self(200, code: 1013, "The app key '\(key)' does not belong to this developer.")
    }
    package static let certificateMissing = Self(
        200,
        code: 1014,
        "There is no certificate; expected a file in 'devCertificateFile', 'proCertificateFile', or both."
    )
    package static func appDeletionFailed(_ message: String) -> Self { Self(200, code: 1015, message) }
}
