extension PushReader {
    func options() throws(JPushError) -> PushOptions {
        var options = PushOptions()
        guard let value = object["options"] else { return options }
        guard let members = value.object else { throw wrongKind("options", value, expected: "an object") }
        if let sendno = try integer("sendno", in: members, range: 0...Int64(UInt32.max)) {
            options.sendno = UInt32(sendno)
        }
        if let seconds = try integer("time_to_live", in: members, range: 0...JPushLimits.timeToLive) {
            options.timeToLive = seconds
        }
        let rare = members.without(Self.usualOptions)
        if let minutes = try integer("big_push_duration", in: rare, range: 0...JPushLimits.pacedMinutes) {
            options.pacedMinutes = minutes
        }
        options.spreadMinutes = try integer("x_spread", in: rare, range: 1...JPushLimits.pacedMinutes) ?? 0
        options.unlessOpened = try integer("x_unless_opened", in: rare).map { MessageID($0) }
        options.undoes = try integer("x_undo", in: rare).map { MessageID($0) }
        options.isReadGroup = try flag("x_read_group", in: rare, at: "options.") ?? false
        options.rate = try integer("x_rate", in: rare, range: 1...JPushLimits.rate)
        options.overriddenMessage = try integer("override_msg_id", in: rare).map { MessageID($0) }
        options.quietHours = try QuietHours.Choice(json: rare["x_quiet_hours"], at: "options.x_quiet_hours")
        do throws(JSONProblem) { try options.readOwn(JSONReader(rare, at: "options")) } catch {
            throw JPushError(error)
        }
        let isProduction = try flag("apns_production", in: members, at: "options.") ?? true
        options.environment = isProduction ? .production : .development
        if let text = try string("apns_collapse_id", in: rare, at: "options.") {
            if let flaw = text.flawAsFieldValue {
                let found = JSONValue.string(text).text.prefix(80)
                throw .badValue("'options.apns_collapse_id' is \(found), which \(flaw).")
            }
            guard text.utf8.count <= JPushLimits.collapseIDBytes else {
                throw .badValue(
                    """
                    'options.apns_collapse_id' has \(text.utf8.count) bytes; at most \(JPushLimits.collapseIDBytes) are \
                    allowed.
                    """
                )
            }
            options.collapseID = text.isEmpty ? nil : text
        }
        try checkKinds(rare)
        return options
    }

    /// The options that many pushes have.
    private static let usualOptions = ["time_to_live", "apns_production", "sendno"]

    /// The other supported options.
    private static let ownOptions = [
        "apns_collapse_id", "override_msg_id", "big_push_duration", "x_rate", "x_quiet_hours", "x_strict", "x_topic",
        "x_spread", "x_unless_opened", "x_undo", "x_read_group", "business_operation_code",
    ]

    /// The options that are about a notification.
    private static let notificationOptions = [
        "apns_collapse_id", "x_quiet_hours", "x_topic", "x_spread", "x_unless_opened", "x_read_group",
    ]

    /// The paths of the members that are accepted and have no effect here, except for flags that are false.
    var ignored: [String] {
        var paths: [String] = []
        for key in Self.otherChannels where rare[key] != nil { paths.append(key) }
        if isShownInApp, notification == nil { paths.append("inapp_message") }
        for member in rareOfNotification.members where member.key != "voip" && member.value.jpushBool != false {
            paths.append("notification.\(member.key)")
        }
        for member in object["options"]?.object?.without(Self.usualOptions).members ?? []
        where isUnused(option: member.key) && member.value.jpushBool != false {
            paths.append("options.\(member.key)")
        }
        return paths
    }

    private func isUnused(option: String) -> Bool {
        guard Self.ownOptions.contains(option) else { return true }
        return option == "override_msg_id" || notification == nil && Self.notificationOptions.contains(option)
    }

    /// Whether a member is only about a notification.
    static func needsNotification(_ name: String) -> Bool {
        name == "inapp_message" || notificationOptions.contains(name)
    }

    /// Returns the path of the option that is probably meant by another name; nil for a known one, and for one that resembles none.
    func option(near name: String, at path: String) -> String? {
        guard path.hasPrefix("options."), name.utf8.count <= 64, !Self.ownOptions.contains(name),
            let nearest = NameDistance.nearest(to: name, in: Self.usualOptions + Self.ownOptions), nearest.edits <= 2
        else { return nil }
        return "options.\(nearest.name)"
    }

    /// Checks the types of options of other channels, which are accepted but otherwise ignored.
    private func checkKinds(_ members: JSONObject) throws(JPushError) {
        guard members.members.contains(where: { !Self.ownOptions.contains($0.key) }) else { return }
        _ = try integer("classification", in: members, range: 0...1)
        let flags = [
            "test_message", "test_model", "active_push", "need_backup", "alternate_set", "auto_truncation",
            "mkt_enable",
            "notification_switch_filter",
        ]
        for key in flags { _ = try flag(key, in: members, at: "options.") }
        if members["test_model"]?.jpushBool == true {
            throw .notServed(
                "'options.test_model' is not served by this version of Posthorn: it knows no test devices."
            )
        }
        _ = try string("receipt_id", in: members, at: "options.")
        if let version = members["notification_3rd_ver"], !["v1", "v2"].contains(version) {
            throw .badValue("'options.notification_3rd_ver' is \(version.text); expected \"v1\" or \"v2\".")
        }
        for key in ["third_party_channel", "geofence", "portal_extra"] {
            guard let value = members[key], value.object == nil else { continue }
            throw wrongKind("options.\(key)", value, expected: "an object")
        }
        if let events = members["target_event"] {
            guard let array = events.array, array.allSatisfy({ $0.string != nil }) else {
                throw wrongKind("options.target_event", events, expected: "an array of strings")
            }
        }
    }

    private func integer(
        _ key: String,
        in members: JSONObject,
        range: ClosedRange<Int64>? = nil
    ) throws(JPushError) -> Int64? {
        guard let value = members[key] else { return nil }
        guard let integer = value.jpushInteger else { throw wrongInteger("options.\(key)", value) }
        if let range, !range.contains(integer) {
            throw .badValue("'options.\(key)' is \(integer); expected \(range.lowerBound) to \(range.upperBound).")
        }
        return integer
    }
}

extension PushOptions {
    /// Reads the plan, the topic and the strictness.
    fileprivate mutating func readOwn(_ members: JSONReader) throws(JSONProblem) {
        isStrict = try members.optional("x_strict", JSONForm("true or false") { $0.jpushBool })
        let name = JSONForm("a string without U+0000") { $0.string.flatMap { $0.hasNUL ? nil : $0 } }
        plan = try members.optional("business_operation_code", name).flatMap { $0.isEmpty ? nil : $0 }
        topic = try members.optional("x_topic", .topic)
    }
}
