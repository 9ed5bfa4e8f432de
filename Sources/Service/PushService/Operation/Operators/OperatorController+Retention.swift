import PushClock
import PushModel

extension OperatorController {
    /// Counts what periods in days would delete; those of the settings if nil.
    func previewRetention(messages: Int?, schedules: Int?, devices: Int?, users: Int?) async throws -> RetentionAnswer {
        guard let retention else {
            throw Self.noService(", and only the service knows its rules. Start 'posthorn serve'.")
        }
        var rules = settings.value.retention
        for (name, days, rule, least) in [
            ("messages", messages, \RetentionRules.messages, 1), ("schedules", schedules, \.schedules, 1),
            ("devices", devices, \.devices, JPushLimits.inactiveDays), ("users", users, \.users, 62),
        ] { rules[keyPath: rule] = try Self.checked(days, name, in: least...36_500) ?? rules[keyPath: rule] }
        return try await retention.preview(rules, at: clock.date)
    }
}

/// The numbers of rows that a run of retention would delete, and the days after which it does.
package struct RetentionAnswer: Codable, Sendable {
    package struct Rows: Codable, Sendable {
        package let count: Int
        package let days: Int
    }

    package let pushes: Rows
    package let schedules: Rows
    package let devices: Rows
    /// Counts of users, one for each app, period and measure.
    package let users: Rows
}
