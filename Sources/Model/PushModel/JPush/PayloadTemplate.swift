/// The APNs payload of a message, built once; the values of each device are filled in later.
///
/// The form is `{"aps":{…},` the extras, `"_j_msgid":…,"_j_uid":…,"_j_business":1}`: client code removes exactly these keys to
/// get the extras. Source: JPush iOS SDK, "iOS API", section on receiving notifications.
package struct PayloadTemplate: Sendable {
    private let head: [UInt8]
    /// The bytes between the badge and the user id.
    private let middle: [UInt8]
    private let tail: [UInt8]
    private let hasBadge: Bool

    package init(_ notification: IOSNotification, messageID: MessageID) {
        var aps: JSONObject = [:]
        aps["alert"] = notification.alert
        aps["sound"] = notification.sound
        if notification.isContentAvailable { aps["content-available"] = 1 }
        if notification.isContentMutable { aps["mutable-content"] = 1 }
        for member in notification.apsMembers.members { aps[member.key] = member.value }
        hasBadge = notification.badge != nil
        var opening = Array("{\"aps\":".utf8)
        JSONValue.object(aps).write(to: &opening)
        if hasBadge {
            opening.removeLast()
            opening.append(contentsOf: (aps.isEmpty ? "\"badge\":" : ",\"badge\":").utf8)
        }
        head = opening
        var rest = Array((hasBadge ? "}," : ",").utf8)
        var extras = notification.extras
        for key in extras.keys where key == "aps" || key.hasPrefix("_j_") { extras[key] = nil }
        if !extras.isEmpty {
            var members: [UInt8] = []
            JSONValue.object(extras).write(to: &members)
            rest.append(contentsOf: members.dropFirst().dropLast())
            rest.append(UInt8(ascii: ","))
        }
        rest.append(contentsOf: "\"_j_msgid\":\(messageID),\"_j_uid\":".utf8)
        middle = rest
        tail = Array(",\"_j_business\":1}".utf8)
    }

    /// Returns the payload for one device.
    ///
    /// `badge` is the badge after this push; it is left out if the push does not change it.
    package func payload(badge: Int, userID: Int64) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(longestPayload)
        write(badge: badge, userID: userID, to: &payload)
        return payload
    }

    /// Appends the payload for one device to `bytes`.
    package func write(badge: Int, userID: Int64, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: head)
        if hasBadge { bytes.appendDecimal(Int64(badge)) }
        bytes.append(contentsOf: middle)
        bytes.appendDecimal(userID)
        bytes.append(contentsOf: tail)
    }

    /// An upper bound of the payload's size in bytes.
    package var longestPayload: Int { head.count + middle.count + tail.count + 40 }
}
