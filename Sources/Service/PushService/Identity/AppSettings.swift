import PushModel

/// The settings that an app's backend changes.
package struct AppSettings: Sendable {
    let store: any AppStore
    let registry: Registry

    private static let key = "quiet_hours"

    /// Changes the settings in the body: `{"quiet_hours":{"from":"22:00","to":"07:00"}}`; null or false removes them. All pushes
    /// sent from then on follow them, including waiting ones.
    ///
    /// - Throws: 1002, 1003 or 1009 for any other body.
    package func change(_ body: [UInt8], of app: App) async throws -> App {
        var app = app
        app.quietHours = try Self.quietHours(in: body)
        try await store.setQuietHours(app.quietHours, of: app.id)
        registry.apply(app)
        return app
    }

    private static func quietHours(in body: [UInt8]) throws(JPushError) -> QuietHours? {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch { throw .missing("The body is not JSON: \(error).") }
        guard let object = json.object else {
            throw .missing("The body is \(json.kind); expected an object with '\(key)'.")
        }
        for name in object.keys where name != key {
            throw .unsupportedKey("'\(name)' is not a setting; expected '\(key)'.")
        }
        switch object[key] {
        case nil: throw .missing("Missing parameter '\(key)'.")
        case .null, .bool(false): return nil
        case let value?: return try QuietHours(json: value, at: key)
        }
    }
}
