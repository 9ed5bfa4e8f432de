/// A push of the REST API, parsed and validated as far as possible without knowledge of the devices.
package struct PushRequest: Hashable, Sendable {
    package var platforms: Set<Platform>
    /// The audience; with ``fileID``, it is empty until the file is read.
    package var audience: Audience
    /// The uploaded file that holds the audience.
    package var fileID: String?
    /// Empty unless ``hasNotification``.
    package var notification: IOSNotification
    /// Whether there is a notification other than a VoIP push.
    package var hasNotification: Bool
    /// The body of the VoIP push, which goes to the devices' tokens for PushKit. Beside a notification, it is a push of its own.
    package var voip: JSONObject?
    package var message: CustomMessage?
    /// The event for Live Activities; such a push has neither notification nor message.
    package var liveActivity: LiveActivityPush?
    /// The id of the Live Activities that are the audience; ``audience`` is then empty.
    package var liveActivityID: String?
    /// Whether the app shows the notification itself if the user has disabled notifications.
    package var isShownInApp: Bool
    /// The texts of the in-app message by language.
    package var inAppLanguages = LocalizedAlerts()
    package var options: PushOptions
    /// The address that is told what becomes of the push.
    package var callback: PushCallback?
    /// Whether the caller asks what would become of the push (`x_forecast`).
    package var isForecast: Bool
    /// The paths of the members that are accepted and have no effect here.
    package var ignored: [String]
    /// The idempotency key, from the caller or the server: a second push with it gets the response to the first.
    package var cid: String?

    /// Parses the body of `POST /v3/push`, or of another push request; `file` is the rule for file audiences.
    ///
    /// Checks in the order of the original service: JSON, missing keys (1002), bad values (1003), unknown keys (1009), size (1005).
    ///
    /// - Throws: the first error in that order; 2007 for features that this server does not support.
    package init(parsing body: [UInt8], file: FileAudience = .refused) throws(JPushError) {
        let json: JSONValue
        do { json = try JSONParser.push(body) } catch {
            throw .missing("The body is not JSON: \(error).")
        }
        guard let object = json.object else { throw .missing("The body is \(json.kind); a push object was expected.") }
        try self.init(object, bytes: body.count, file: file)
    }

    /// The size of a text up to which no part of a push can exceed its limit: compact JSON has at most three times the bytes of any
    /// other (`\b` becomes `\u0008`), and the payload has a text at most twice.
    private static let small = 600

    /// Parses a push object without nulls, whose text has a number of bytes; `target` is the recipient of a push in a batch, which has
    /// no audience.
    ///
    /// - Throws: the same errors as ``init(parsing:file:)``.
    init(
        _ object: JSONObject,
        bytes: Int,
        file: FileAudience = .refused,
        to target: BatchPush.Target? = nil
    ) throws(JPushError) {
        let reader = PushReader(object, to: target)
        try reader.checkRequiredKeys()
        platforms = try reader.platforms()
        fileID = try reader.fileID(file)
        let live = try reader.liveActivity(for: platforms)
        let liveID = try reader.liveActivityID(for: live)
        liveActivity = live
        liveActivityID = liveID
        audience = fileID == nil && liveID == nil ? try reader.audience() : .nobody
        let notified = reader.notification == nil ? nil : try reader.notification(for: platforms)
        voip = try reader.voip()
        hasNotification = notified != nil && !reader.isVoIPAlone
        notification = notified ?? IOSNotification()
        message = try reader.message()
        isShownInApp = reader.isShownInApp
        options = try reader.options()
        cid = try reader.cid()
        callback = try reader.callback()
        isForecast = try reader.isForecast()
        try reader.checkOtherChannels()
        if isShownInApp {
            inAppLanguages = try reader.inAppLanguages(hasAlert: notification.alert != nil)
            if inAppLanguages.isEmpty { inAppLanguages = notification.localized }
        }
        try reader.checkUnknownKeys()
        ignored = reader.ignored
        guard bytes > Self.small else { return }
        if hasNotification { try reader.checkSize(of: notification) }
        if let voip { try reader.checkSize(ofVoIP: voip) }
        if let callback { try reader.checkSize(of: callback) }
        try reader.checkMessageSize()
        try reader.checkLiveActivitySize()
    }

    /// Returns the warnings about the push, from the body that it was parsed from.
    package func warnings(in body: [UInt8]) -> [PushWarning] {
        let isConcerned = !ignored.isEmpty || PushWarning.mayConcern(body[...]) || hasMistakenAlert
        return isConcerned ? PushWarning.all(in: body[...]) : []
    }

    /// Whether an alert would show nothing, or not all, by mistake.
    private var hasMistakenAlert: Bool {
        notification.alert.map(PushWarning.isMistaken) ?? false
            || !notification.localized.isEmpty && notification.localized.alerts.contains(where: PushWarning.isMistaken)
    }

    /// Whether APNs carries any of it.
    package var isForAPNs: Bool { hasNotification || liveActivity != nil || voip != nil }

    /// Whether its VoIP push is sent beside a notification, as a push of its own.
    package var hasVoIPBesideNotification: Bool { hasNotification && voip != nil }

    /// Whether a call is all that goes to APNs.
    package var isVoIPAlone: Bool { voip != nil && !hasNotification && liveActivity == nil }

    /// Returns the VoIP push of this one, alone, with the same options; it has no idempotency key.
    package var voipAlone: PushRequest {
        var push = self
        push.notification = IOSNotification()
        push.hasNotification = false
        push.message = nil
        push.isShownInApp = false
        push.cid = nil
        return push
    }

    /// Returns the body of ``voipAlone`` from the body of a push.
    ///
    /// - Throws: 1002 if the body is not that of a push.
    package static func voipAlone(in body: [UInt8]) throws(JPushError) -> [UInt8] {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch { throw .missing("The body is not JSON: \(error).") }
        let kept = ["platform", "audience", "options"]
        guard let members = json.object, let voip = members["notification"]?.object?["voip"] else {
            throw .missing("Missing parameter 'notification.voip'.")
        }
        var push = JSONObject(members.members.filter { kept.contains($0.key) }.map { ($0.key, $0.value) })
        push["notification"] = ["voip": voip]
        return push.bytes
    }
}

extension PushRequest {
    /// The in-app message, which the app shows itself if the user has disabled notifications.
    ///
    /// It is nil if the push does not ask for it, has its own message, or has no text.
    ///
    /// Source: JPush REST API v3, "Push API", "inapp_message".
    package var inAppMessage: CustomMessage? { inAppMessage(inLanguageAt: nil) }

    /// Returns the in-app message in one of ``inAppLanguages``; nil for the plain alert.
    package func inAppMessage(inLanguageAt place: Int?) -> CustomMessage? {
        guard isShownInApp, hasNotification, message == nil else { return nil }
        let text = place.map { inAppLanguages.alerts[$0] } ?? notification.alert
        let title = text?.object?["title"]?.string
        let body = text?.string ?? text?.object?["body"]?.string ?? ""
        guard !body.isEmpty || title?.isEmpty == false else { return nil }
        let extras = notification.extras
        return CustomMessage(content: body, title: title, extras: extras.isEmpty ? nil : extras, isInApp: true)
    }

    /// The message for the SDK link: the custom message or the in-app message.
    package var linkMessage: CustomMessage? { message ?? inAppMessage }
}
