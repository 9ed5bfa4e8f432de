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
            status: 400,
            code: 3005,
            message: """
                'start' is '\(start)', more than \(JPushLimits.userReportDays) days ago; ask for the last \
                \(JPushLimits.userReportDays) days.
                """
        )
    }
    package static let reportTooLong = Self(
        status: 400,
        code: 3005,
        message: "Users can be asked for \(JPushLimits.userReportDays) days at most; ask for a shorter time."
    )
}
