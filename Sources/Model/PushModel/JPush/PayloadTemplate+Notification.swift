extension PayloadTemplate {
    /// Builds the payload of a VoIP push: the same object for all devices.
    package init(unchanged object: JSONObject) { self.init(whole: JSONValue.object(object).bytes) }

    /// Builds the payload of a message. Its number is the user id.
    ///
    /// The form is `{"aps":{…},` the extras, `"_j_msgid":…,"_j_uid":…,"_j_business":1}`: client code removes exactly these keys to
    /// get the extras. Source: JPush iOS SDK, "iOS API", section on receiving notifications.
    package init(_ notification: IOSNotification, messageID: MessageID) {
        var aps: JSONObject = [:]
        aps["alert"] = notification.alert
        aps["sound"] = notification.sound
        if notification.isContentAvailable { aps["content-available"] = 1 }
        if notification.isContentMutable { aps["mutable-content"] = 1 }
        for member in notification.apsMembers.members { aps[member.key] = member.value }
        var others = notification.extras
        for key in others.keys where key == "aps" || key.hasPrefix("_j_") { others[key] = nil }
        others["_j_msgid"] = .integer(messageID.number)
        others["_j_uid"] = 0
        others["_j_business"] = 1
        self.init(aps: aps, others: others, numberKey: "_j_uid")
        findVariables(inAlert: aps["alert"])
    }
}
