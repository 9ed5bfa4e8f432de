package import PushModel

/// The settings that an app's backend changes.
package struct AppSettings: Sendable {
    let store: any AppStore & TopicStore
    let registry: Registry

    private static let keys = ["quiet_hours", "strict"]

    /// Changes the settings in the body: `{"quiet_hours":{"from":"22:00","to":"07:00"},"strict":true}`; null or false removes quiet hours.
    /// All pushes sent from then on follow them, including waiting ones. Strictness concerns pushes that are accepted from then on.
    ///
    /// - Throws: 1002, 1003 or 1009 for any other body.
    package func change(_ body: [UInt8], of app: App) async throws -> App {
        var app = app
        let object = try JSONObject(body: body, refusal: JPushError.missing)
        let names = Self.keys.map { "'\($0)'" }.joined(separator: " or ")
        for name in object.keys where !Self.keys.contains(name) {
            throw JPushError.unsupportedKey("'\(name)' is not a setting; expected \(names).")
        }
        guard !object.isEmpty else { throw JPushError.missing("Missing parameter \(names).") }
        let quietHours = try object["quiet_hours"].map(Self.quietHours)
        let isStrict = try object["strict"].map { value throws(JPushError) in
            guard let isStrict = value.jpushBool else {
                throw .badValue("'strict' is \(value.kind); expected true or false.")
            }
            return isStrict
        }
        func set(_ app: inout App) {
            if let quietHours { app.quietHours = quietHours }
            if let isStrict { app.isStrict = isStrict }
        }
        if let quietHours { try await store.setQuietHours(quietHours, of: app.id) }
        if let isStrict { try await store.setStrict(isStrict, of: app.id) }
        set(&app)
        return registry.change(app.id, set) ?? app
    }

    /// Returns the topics of an app.
    package func topics(of app: App) async throws -> JSONValue {
        ["topics": .array(try await store.topics(of: app.id).map(\.json))]
    }

    /// Replaces the topics of an app by those in the body: see ``PushTopic/list(_:)``.
    package func changeTopics(_ body: [UInt8], of app: App) async throws -> JSONValue {
        try await store.setTopics(try PushTopic.list(body), of: app.id)
        return try await topics(of: app)
    }

    private static func quietHours(_ value: JSONValue) throws(JPushError) -> QuietHours? {
        if value == .null || value == false { return nil }
        return try QuietHours(json: value, at: "quiet_hours")
    }
}
