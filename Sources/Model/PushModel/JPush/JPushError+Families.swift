// Authentication errors of other families of the API.
extension JPushError {
    package static let reportUnauthorized = Self(401, code: 3001, "Basic authentication failed")
    package static let scheduleUnauthorized = Self(401, code: 8101, "Basic authentication failed.")
}
