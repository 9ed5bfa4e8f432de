/// A push of the REST API, parsed and validated as far as possible without knowledge of the devices.
package struct PushRequest: Hashable, Sendable {
    package var platforms: Set<Platform>
    /// The audience; with ``fileID``, it is empty until the file is read.
    package var audience: Audience
    /// The uploaded file that holds the audience.
    package var fileID: String?
    /// Empty unless ``hasNotification``.
    package var notification: IOSNotification
    package var hasNotification: Bool
    package var message: CustomMessage?
    /// The event for Live Activities; such a push has neither notification nor message.
    package var liveActivity: LiveActivityPush?
    /// The id of the Live Activities that are the audience; ``audience`` is then empty.
    package var liveActivityID: String?
    /// Whether the app shows the notification itself if the user has disabled notifications.
    package var isShownInApp: Bool
    package var options: PushOptions
    /// The idempotency key, from the caller or the server: a second push with it gets the response to the first.
    package var cid: String?

    /// Parses the body of `POST /v3/push`, or of another push request; `file` is the rule for file audiences.
    ///
    /// Checks in the order of the original service: JSON, missing keys (1002), bad values (1003), unknown keys (1009), size
    /// (1005).
    ///
    /// - Throws: the first error in that order; 2007 for features that this server does not support.
    package init(parsing body: [UInt8], file: FileAudience = .refused) throws(JPushError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch {
            throw .missing("The body is not JSON: \(error).")
        }
        guard let object = json.object else {
            throw .missing("The body is \(json.kind); a push object was expected.")
        }
        try self.init(object.withoutNulls, file: file)
    }

    /// Parses a push object without nulls; `target` is the recipient of a push in a batch, which has no audience.
    ///
    /// - Throws: the same errors as ``init(parsing:file:)``.
    init(
        _ object: JSONObject,
        file: FileAudience = .refused,
        to target: BatchPush.Target? = nil
    ) throws(JPushError) {
        let reader = PushReader(object: object, target: target)
        try reader.checkRequiredKeys()
        try reader.checkServed()
        platforms = try reader.platforms()
        fileID = try reader.fileID(file)
        let live = try reader.liveActivity(for: platforms)
        let liveID = try reader.liveActivityID(for: live)
        (liveActivity, liveActivityID) = (live, liveID)
        audience = fileID == nil && liveID == nil ? try reader.audience() : .nobody
        hasNotification = object["notification"] != nil
        notification = hasNotification ? try reader.notification(for: platforms) : IOSNotification()
        message = try reader.message()
        isShownInApp = reader.isShownInApp
        options = try reader.options()
        cid = try reader.cid()
        try reader.checkOtherChannels()
        try reader.checkUnknownKeys()
        if hasNotification { try reader.checkSize(of: notification) }
        try reader.checkMessageSize()
        try reader.checkLiveActivitySize()
    }
}
