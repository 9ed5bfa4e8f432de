import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// `{"messages"?, "schedules"?, "devices"?, "users"?}`, in days; the settings of the service for those that are missing.
    func previewRetention(_ parameters: JSONReader) async throws -> JSONObject {
        guard let retention else {
            let text =
                "No service runs on this data folder, and only the service knows its rules. Start 'posthorn serve'."
            throw OperatorError(.needsService, Remark(.serviceNeeded), message: text)
        }
        var rules = settings.value.retention
        for (name, rule, least) in [
            ("messages", \RetentionRules.messages, 1), ("schedules", \.schedules, 1),
            ("devices", \.devices, JPushLimits.inactiveDays), ("users", \.users, 62),
        ] {
            let days = try parameters.optional(name, .integer(in: Int64(least)...36_500))
            rules[keyPath: rule] = days.map { Int($0) } ?? rules[keyPath: rule]
        }
        let preview = try await retention.preview(rules, at: clock.date)
        func entry(_ count: Int, _ days: Int) -> JSONValue {
            ["count": .number(count), "days": .number(days)]
        }
        return [
            "pushes": entry(preview.pushes, rules.messages), "schedules": entry(preview.schedules, rules.schedules),
            "devices": entry(preview.devices, rules.devices), "users": entry(preview.users, rules.users),
        ]
    }
}
