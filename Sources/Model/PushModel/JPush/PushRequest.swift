/// A push as the REST API takes it: parsed and checked as far as that goes without knowing any device.
public struct PushRequest: Hashable, Sendable {
    public var platforms: Set<Platform>
    /// Nobody, until it is read, where ``fileID`` stands for it.
    public var audience: Audience
    /// The uploaded file that holds the audience.
    public var fileID: String?
    /// Empty unless ``hasNotification``.
    public var notification: IOSNotification
    public var hasNotification: Bool
    public var message: CustomMessage?
    /// Whether the app shows the notification itself where the person has switched notifications off.
    public var isShownInApp: Bool
    public var options: PushOptions
    /// Made by the caller or the server: a second push with it has the first one's answer.
    public var cid: String?

    /// Reads the body of `POST /v3/push`, or of another call that pushes: `file` says whether its audience is one.
    ///
    /// Checks in the order of the service that it follows: JSON, missing keys (1002), bad values (1003), unknown keys
    /// (1009), size (1005).
    ///
    /// - Throws: the first error in that order; 2007 for what this server does not deliver.
    public init(parsing body: [UInt8], file: FileAudience = .refused) throws(JPushError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch {
            throw .missing("The body is not JSON: \(error).")
        }
        guard let object = json.object else {
            throw .missing("The body is \(json.kind); a push object was expected.")
        }
        try self.init(object.withoutNulls, file: file)
    }

    /// Reads a push object without nulls; `target`: where it goes if it is one of a batch, which has no audience.
    ///
    /// - Throws: as ``init(parsing:file:)``.
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
        audience = fileID == nil ? try reader.audience() : .nobody
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
    }
}
