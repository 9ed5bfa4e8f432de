extension PushReader {
    /// Members of `ios` that are copied into `aps`: those documented for the REST API, and three that Apple added later.
    private static let passedOn = [
        "category", "thread-id", "interruption-level", "relevance-score", "filter-criteria", "target-content-id",
    ]

    static let iosKeys =
        ["alert", "sound", "badge", "content-available", "mutable-content", "extras", "x_localized"] + passedOn

    /// The members of `ios` that many pushes have.
    private static let usualIOSKeys = ["alert", "sound", "badge", "extras"]

    func notification(for platforms: Set<Platform>) throws(JPushError) -> IOSNotification {
        let value = notification ?? .null
        guard let members = value.object else { throw wrongKind("notification", value, expected: "an object") }
        for member in members.members where member.key != "alert" {
            if case .object = member.value { continue }
            guard Platform(rawValue: member.key) == nil else {
                throw wrongKind("notification.\(member.key)", member.value, expected: "an object")
            }
        }
        try checkAndroid()
        // JPush's library for Java writes it into every notification (3.7.8, `Notification.toJSON`). It has no effect here.
        if let opportunity = rareOfNotification["ai_opportunity"], opportunity.jpushBool == nil {
            throw wrongKind("notification.ai_opportunity", opportunity, expected: "a boolean")
        }
        let shared = members["alert"]
        if let shared, shared.string == nil {
            guard shared.object != nil else { throw wrongKind("notification.alert", shared, expected: "a string") }
            throw .badValue(
                """
                'notification.alert' is an object; expected a string. An object with 'title' and 'body' belongs in \
                'notification.ios.alert', and texts by language in 'notification.ios.x_localized'.
                """
            )
        }
        guard !members.isEmpty else { throw .badValue("'notification' is empty; expected 'alert' or 'ios'.") }
        let own = members["ios"]?.object ?? [:]
        let notification = try ios(own, shared: shared)
        let hasAlert = shared != nil || own["alert"] != nil
        guard hasAlert || notification.isContentAvailable || isVoIPAlone || !platforms.contains(.ios) else {
            throw .badValue("Neither 'notification.alert' nor 'notification.ios.alert' is given.")
        }
        return notification
    }

    private func checkAndroid() throws(JPushError) {
        guard let builder = rareOfNotification["android"]?.object?["builder_id"], builder.jpushInteger == nil else {
            return
        }
        throw wrongInteger("notification.android.builder_id", builder)
    }

    private func ios(_ members: JSONObject, shared: JSONValue?) throws(JPushError) -> IOSNotification {
        var notification = IOSNotification()
        notification.alert = try alert(members["alert"] ?? shared)
        notification.sound = try sound(members["sound"])
        notification.badge = try members["badge"].map(badge)
        let rare = members.without(Self.usualIOSKeys)
        notification.isContentAvailable = try flag("content-available", in: rare, at: "notification.ios.") ?? false
        notification.isContentMutable = try flag("mutable-content", in: rare, at: "notification.ios.") ?? false
        for key in Self.passedOn where !rare.isEmpty {
            guard let value = rare[key] else { continue }
            let isRight = key == "relevance-score" ? value.double != nil : value.string != nil
            guard isRight else {
                throw wrongKind(
                    "notification.ios.\(key)",
                    value,
                    expected: key == "relevance-score" ? "a number" : "a string"
                )
            }
            notification.apsMembers[key] = value
        }
        try checkInterruptionLevel(rare["interruption-level"])
        notification.localized = try localized(
            rare["x_localized"],
            at: "notification.ios.x_localized",
            hasAlert: notification.alert != nil
        )
        notification.extras = try object(members["extras"], at: "notification.ios.extras") ?? [:]
        return notification
    }

    private func alert(_ value: JSONValue?) throws(JPushError) -> JSONValue? {
        switch value {
        case nil, .string(""): return nil
        case .string, .object: return value
        case .some(let other): throw wrongKind("notification.ios.alert", other, expected: "a string or an object")
        }
    }

    private func sound(_ value: JSONValue?) throws(JPushError) -> JSONValue? {
        switch value {
        case nil, .string(""): return nil
        case .string: return value
        case .object(let members):
            if let volume = members["volume"] {
                guard let number = volume.double, (0...1).contains(number) else {
                    throw .badValue("'notification.ios.sound.volume' is \(volume.text); expected 0 to 1.")
                }
            }
            return value
        case .some(let other): throw wrongKind("notification.ios.sound", other, expected: "a string or an object")
        }
    }

    private func badge(_ value: JSONValue) throws(JPushError) -> BadgeChange {
        func problem() -> JPushError {
            .badValue(
                """
                'notification.ios.badge' is \(value.text.prefix(40)); expected a number from 0 to \(JPushLimits.badge), or \
                such a number as a string, also with '+' or '-' before it.
                """
            )
        }
        let change: BadgeChange?
        switch value {
        case .string(""): change = .set(0)
        case .string(let text):
            let digits = text.drop { $0 == "+" || $0 == "-" }
            guard text.count - digits.count <= 1, !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit)
            else { throw problem() }
            change = Int(text).map { digits.count == text.count ? .set($0) : .add($0) }
        default: change = value.jpushInteger.flatMap { Int(exactly: $0) }.map(BadgeChange.set)
        }
        switch change {
        case .set(let number) where (0...JPushLimits.badge).contains(number): return .set(number)
        case .add(let number) where (-JPushLimits.badge...JPushLimits.badge).contains(number): return .add(number)
        default: throw problem()
        }
    }

    private func checkInterruptionLevel(_ value: JSONValue?) throws(JPushError) {
        let levels = ["active", "critical", "passive", "time-sensitive"]
        guard let level = value?.string, !levels.contains(level) else { return }
        throw .badValue(
            "'notification.ios.interruption-level' is '\(level)'; expected one of \(levels.joined(separator: ", "))."
        )
    }

    func checkSize(of notification: IOSNotification) throws(JPushError) {
        let members = self.notification?.object
        let shared = #"{"alert":}"#.utf8.count + (members?["alert"] ?? "").byteCount
        let localized = members?["ios"]?.object?["x_localized"]
        let bytes =
            (members?["ios"]?.byteCount ?? shared)
            - (localized.map { #""x_localized":,"#.utf8.count + $0.byteCount } ?? 0)
        guard bytes <= JPushLimits.iosBytes else {
            throw .tooLarge("'notification.ios' has \(bytes) bytes; at most \(JPushLimits.iosBytes) are allowed.")
        }
        let limit = APNSPushType.alert.payloadLimit
        // The payload consists of these two and less than 300 bytes more, so it rarely has to be built.
        if bytes + shared + 300 > limit, let largest = Self.size(of: notification, above: limit) {
            throw .tooLarge("The APNs payload would have \(largest) bytes; at most \(limit) are allowed.")
        }
        for (place, alert) in notification.localized.alerts.enumerated() {
            guard bytes + shared + alert.byteCount + 300 > limit,
                let largest = Self.size(of: notification.localized(at: place), above: limit)
            else { continue }
            let language = notification.localized.names[place]
            throw .tooLarge(
                "The APNs payload in the language '\(language)' would have \(largest) bytes; at most \(limit) are allowed."
            )
        }
    }

    /// Returns the bytes of the largest payload of a notification; nil if they are within a limit.
    private static func size(of notification: IOSNotification, above limit: Int) -> Int? {
        let badge = notification.badge.map { _ in 99_999 }
        let template = PayloadTemplate(notification, messageID: MessageID(.max))
        let size = template.payload(badge: badge, number: .max).count
        return size > limit ? size : nil
    }
}

extension PushReader {
    /// The body of the VoIP push in `notification.voip`; nil if there is none.
    ///
    /// Source: JPush REST API v3, "Push API", section on `notification.voip`.
    func voip() throws(JPushError) -> JSONObject? {
        try object(rareOfNotification["voip"], at: "notification.voip")
    }

    /// Whether the VoIP push is all that `notification` has for a device on iOS.
    var isVoIPAlone: Bool {
        guard let members = notification?.object, rareOfNotification["voip"] != nil else { return false }
        return members["ios"] == nil && members["alert"] == nil
    }

    func checkSize(ofVoIP voip: JSONObject) throws(JPushError) {
        let bytes = voip.byteCount
        let limit = APNSPushType.voip.payloadLimit
        guard bytes > limit else { return }
        throw .tooLarge("'notification.voip' has \(bytes) bytes; at most \(limit) are allowed.")
    }
}
