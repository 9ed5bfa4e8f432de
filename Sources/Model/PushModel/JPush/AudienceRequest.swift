/// Whether a push may name an uploaded file as its audience.
///
/// Source: JPush REST API v3, "File push API" and "Schedule API".
package enum FileAudience: Hashable, Sendable {
    /// `POST /v3/push` and similar requests.
    case refused
    /// `POST /v3/push/file`, which allows no other audience.
    case required
    /// A schedule, or a push that was accepted before.
    case allowed
}

/// A question about an audience: the `platform` and the `audience` of a push, without a push.
package struct AudienceRequest: Hashable, Sendable {
    package var platforms: Set<Platform>
    /// The audience; with ``fileID``, it is empty until the file is read.
    package var audience: Audience
    /// The uploaded file that holds the audience.
    package var fileID: String?
    /// A segment that is not stored, instead of an audience.
    package var segment: Segment?

    /// Parses `{"platform":…,"audience":…}`, with the same checks as for a push; all platforms without `platform`. Or `{"x_segment":…}`
    /// with the rule of a segment.
    ///
    /// - Throws: 1002 for a missing audience, 1003 for a bad value, 1009 for an unknown key; what a new segment throws.
    package init(parsing body: [UInt8]) throws(JPushError) {
        let json: JSONValue
        do { json = try JSONParser.push(body) } catch {
            throw .missing("The body is not JSON: \(error).")
        }
        guard let object = json.object else {
            throw .missing("The body is \(json.kind); an object with 'audience' was expected.")
        }
        if let rule = object["x_segment"], object.members.count == 1 {
            platforms = [.ios]
            audience = .all
            segment = try Segment(name: "x_segment", parsing: rule.bytes)
            return
        }
        guard object["audience"] != nil else { throw .missing("Missing parameter 'audience'.") }
        let reader = PushReader(object)
        platforms = object["platform"] == nil ? Set(Platform.allCases) : try reader.platforms()
        fileID = try reader.fileID(.allowed)
        audience = fileID == nil ? try reader.audience() : .nobody
        for key in object.keys where !["platform", "audience"].contains(key) {
            throw .unsupportedKey("'\(key)' is not known; expected platform, audience.")
        }
        try reader.checkUnknownAudienceKeys()
    }
}
