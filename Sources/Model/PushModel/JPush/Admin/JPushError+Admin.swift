// The errors of the Admin API.
//
// Source: JPush REST API, "Admin API v1", section "Error codes". Business failures have status 200, according to the table
// there.
extension JPushError {
    package static let adminMethodNotAllowed = Self(405, code: 4001, "Get HTTP method is not allowed")
    package static func adminParameterMissing(_ name: String) -> Self {
        Self(status: 400, code: 4002, message: "Request parameter \(name) is null or empty")
    }
    /// The body cannot be read, or a parameter has an invalid value (our choice).
    package static func badAdminParameter(_ message: String) -> Self { Self(400, code: 4003, message) }
    package static let developerUnknown = Self(401, code: 4004, "Authentication failed: dev_key does not exist")
    package static let developerSecretWrong = Self(
        status: 401,
        code: 4005,
        message: "Authentication failed: dev_key and dev_secret are not matched"
    )
    package static let developerCredentialsMissing = Self(
        status: 401,
        code: 4006,
        message: "Authentication failed: it is not a valid authorization string"
    )
    package static let developerNotEnabled = Self(
        status: 401,
        code: 4007,
        message: "Authentication failed: the developer is not enabled; 'posthorn dev enable' does that"
    )

    package static func certificateExists(_ message: String) -> Self { Self(200, code: 1010, message) }
    package static func certificateInvalid(_ message: String) -> Self { Self(200, code: 1012, message) }
    package static func adminAppKeyIllegal(_ key: String) -> Self {
        Self(status: 200, code: 1013, message: "The app key '\(key)' does not belong to this developer.")
    }
    package static let certificateMissing = Self(
        status: 200,
        code: 1014,
        message: "There is no certificate; expected a file in 'devCertificateFile', 'proCertificateFile', or both."
    )
    package static func appDeletionFailed(_ message: String) -> Self { Self(200, code: 1015, message) }
}
