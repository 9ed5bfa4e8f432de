import PushModel

/// The resources of the API that share a table of error codes and a rate limit.
///
/// Source: JPush REST API v3, the tables of errors on the pages of push, device, schedule and report.
enum APIFamily: CaseIterable {
    case push
    /// Devices, tags and aliases.
    case device
    case report
    case schedule
    /// Files and images.
    case file
    /// Developers and their apps.
    case admin
    /// Posthorn's own endpoints, with the errors of push.
    case own

    /// The families that an app uses with its own key.
    static let ofApps = allCases.filter { $0 != .admin }

    /// The error for missing or unreadable credentials.
    var credentialsMissing: JPushError {
        switch self {
        case .device: .deviceCredentialsMissing
        case .report: .reportUnauthorized
        case .admin: .developerCredentialsMissing
        case .schedule: .scheduleUnauthorized
        case .push, .file, .own: .unauthorized
        }
    }

    /// Returns the error for a malformed app key.
    func appKeyMalformed(_ key: String) -> JPushError {
        switch self {
        case .push, .file, .own:
            .illegalAppKey("The app key '\(key)' is malformed; expected 24 letters or digits.")
        case .device, .report, .schedule, .admin: appKeyUnknown(key)
        }
    }

    func appKeyUnknown(_ key: String) -> JPushError { self == .device ? .deviceAppKeyUnknown(key) : credentialsMissing }

    var secretWrong: JPushError { self == .device ? .deviceSecretWrong : credentialsMissing }

    var internalError: JPushError {
        switch self {
        case .device: .deviceInternal
        case .schedule: .scheduleInternal
        case .report, .admin: .reportInternal
        case .push, .file, .own: .internalError()
        }
    }

    /// Returns the error for a request that the service can only serve later.
    func unavailable(_ message: String) -> JPushError {
        let code =
            switch self {
            case .device: 7030
            case .schedule: 8203
            // Their tables have no other code for a service failure.
            case .report, .admin: internalError.code
            case .push, .file, .own: 1030
            }
        return JPushError(status: 503, code: code, message: message)
    }
}
