/// The number of requests that a caller may make in a window of 60 seconds, by family.
///
/// Each family has its own window.
package struct CallLimits: Hashable, Sendable {
    package var push: Int
    /// Devices, tags and aliases.
    package var device: Int
    package var report: Int
    package var schedule: Int
    /// Files and images.
    package var file: Int
    /// Developers and their apps.
    package var admin: Int
    /// Posthorn's own endpoints, such as the journey of a push.
    package var own: Int

    /// The limits of JPush for a free app.
    ///
    /// Undocumented limits are our choice: that of developers equals that of schedules, and that of Posthorn's own
    /// endpoints equals that of reports.
    ///
    /// Source: JPush REST API v3, "Overview", section on rate limits, and "Schedule API".
    package static let jpush = CallLimits(
        push: 600,
        device: 600,
        report: 2400,
        schedule: 100,
        file: 20,
        admin: 100,
        own: 2400
    )

    package static func all(_ limit: Int) -> CallLimits {
        CallLimits(push: limit, device: limit, report: limit, schedule: limit, file: limit, admin: limit, own: limit)
    }

    subscript(family: APIFamily) -> Int {
        switch family {
        case .push: push
        case .device: device
        case .report: report
        case .schedule: schedule
        case .file: file
        case .admin: admin
        case .own: own
        }
    }
}
