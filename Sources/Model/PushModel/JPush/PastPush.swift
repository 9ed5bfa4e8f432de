/// A condition of an audience: what a device did with an earlier push of its app, as `{"msg_id":"…","was":"opened"}`. An extension of
/// Posthorn.
package struct PastPush: Hashable, Sendable {
    package enum Fate: String, CaseIterable, Sendable {
        /// APNs took the notification, or the device reported it or the custom message.
        case got
        /// Also devices that were not in the audience.
        case notGot = "not_got"
        case opened
        /// Got and not opened.
        case notOpened = "not_opened"
    }

    package let message: MessageID
    package let fate: Fate
}

extension Audience.Filter {
    /// The most conditions on past pushes.
    static let pastPushes = 10
    /// The most days without an opened push; retention may keep pushes for fewer.
    static let days = Int64(1)...365

    /// Whether the store is needed to know the devices.
    package var dependsOnPast: Bool { !pastPushes.isEmpty || openedNothingForDays != nil }
}

extension PushReader {
    static let pastKeys = ["x_pushes", "x_opened_nothing_for_days"]

    func readPast(_ members: JSONObject, into filter: inout Audience.Filter) throws(JPushError) {
        for value in try array("x_pushes", in: members, limit: Audience.Filter.pastPushes) {
            filter.pastPushes.append(try pastPush(value))
        }
        guard let value = members["x_opened_nothing_for_days"] else { return }
        guard let days = value.jpushInteger, Audience.Filter.days.contains(days) else {
            throw .badValue(
                "'audience.x_opened_nothing_for_days' is \(value.text.prefix(80)); expected 1 to \(Audience.Filter.days.upperBound)."
            )
        }
        filter.openedNothingForDays = Int(days)
    }

    private func pastPush(_ value: JSONValue) throws(JPushError) -> PastPush {
        guard let object = value.object else { throw wrongKind("audience.x_pushes", value, expected: "an object") }
        try check(object, against: ["msg_id", "was"], at: "audience.x_pushes.")
        guard let message = (object["msg_id"]?.string ?? object["msg_id"]?.text).flatMap({ MessageID($0) }) else {
            throw .badValue("'audience.x_pushes' has no 'msg_id' of a push: \(value.text.prefix(80)).")
        }
        guard let fate = object["was"]?.string.flatMap(PastPush.Fate.init(rawValue:)) else {
            let words = PastPush.Fate.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw .badValue(
                "'audience.x_pushes.was' is \(object["was"]?.text.prefix(80) ?? "missing"); expected one of \(words)."
            )
        }
        return PastPush(message: message, fate: fate)
    }
}
