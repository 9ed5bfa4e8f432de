extension PushReader {
    /// The body of the VoIP push in `notification.voip`; nil if there is none. PHP writes an empty object as an array.
    ///
    /// Source: JPush REST API v3, "Push API", section on `notification.voip`.
    func voip() throws(JPushError) -> JSONObject? {
        guard let value = rareOfNotification["voip"] else { return nil }
        if value == .array([]) { return [:] }
        guard let members = value.object else { throw wrongKind("notification.voip", value, expected: "an object") }
        return members
    }

    /// Whether the VoIP push is all that `notification` has for a device on iOS.
    var isVoIPAlone: Bool {
        guard let members = notification?.object, rareOfNotification["voip"] != nil else { return false }
        return members["ios"] == nil && members["alert"] == nil
    }

    func checkSize(ofVoIP voip: JSONObject) throws(JPushError) {
        let (bytes, limit) = (JSONValue.object(voip).byteCount, APNSPushType.voip.payloadLimit)
        guard bytes > limit else { return }
        throw .tooLarge("'notification.voip' has \(bytes) bytes; at most \(limit) are allowed.")
    }
}
