// Authentication errors of other families of the API.
extension JPushError {
    package static let reportUnauthorized = Self(status: 401, code: 3001, message: "Basic authentication failed")
    package static let scheduleUnauthorized = Self(status: 401, code: 8101, message: "Basic authentication failed.")
}
