import Foundation
import PushClock
import PushModel

/// Signed pages of the events of an app.
///
/// The body is `{"app_key","events":[{"id","type","msg_id","registration_id","part","time"}],"next","oldest"}`, with the time in
/// milliseconds since 1970. `next` is the position to continue after. An event's id is its position and its number among the events of
/// this position. The signature is that of a ``CallbackRequest``.
package struct EventPages: Sendable {
    let store: any EventStore
    let registry: Registry
    let clock: any CivilClock
    let settings: Adjustable<ServiceSettings>

    /// The maximum number of rows on a page.
    private static let rows = 1000

    /// Returns the page after a position, with at most `limit` events, or those of one position if these are more.
    ///
    /// - Throws: 1003 if the service keeps no events.
    package func page(
        of app: App,
        after position: Int64,
        limit: Int
    ) async throws -> (body: [UInt8], fields: [(name: String, value: String)]) {
        guard settings.value.retention.events > 0 else {
            let message = "The service keeps no events; set retention.events to the number of days for which it should."
            throw JPushError(status: 404, code: 1003, message: message)
        }
        let found = try await store.events(of: app.id, after: position, limit: min(limit, Self.rows))
        var events: [JSONValue] = []
        var next: Int64 = position
        for row in found.rows {
            let new = json(row, of: app.id)
            guard events.isEmpty || events.count + new.count <= limit else { break }
            events += new
            next = row.position
        }
        let object: JSONObject = [
            "app_key": .string(app.key.text), "events": .array(events), "next": .integer(next),
            "oldest": found.oldest.map { .integer($0) } ?? .null,
        ]
        let body = JSONValue.object(object).bytes
        return (body, CallbackRequest.signature(of: body, app, at: clock.date))
    }

    private func json(_ row: AppEvents.Row, of app: App.ID) -> [JSONValue] {
        let devices: [DeviceOrdinal?] = row.ordinals.isEmpty ? [nil] : row.ordinals
        return devices.enumerated().map { place, ordinal in
            let name = ordinal.map { registry.name(of: DeviceID(app: app, ordinal: $0)).text }
            return [
                "id": .string("\(row.position).\(place)"), "type": .string(row.kind.rawValue),
                "msg_id": .orNull(row.message?.description), "registration_id": .orNull(name),
                "part": .orNull(row.part?.rawValue),
                "time": .integer(row.date.milliseconds),
            ]
        }
    }
}
