import PushModel

/// A field of the form that composes a push: a member of the push object under its own name.
struct ComposeField: Hashable {
    /// How scripts read and write it; see `compose-push.js`.
    enum Kind: String {
        /// A part of the alert, which is a text or an object.
        case alert
        case text, integer, number, badge, list, json, flag, choice, platform
        case sound, critical, volume
    }

    let group: Group
    /// The member, such as `notification.ios.thread-id`; of the alert and the sound, the part.
    let path: String
    var kind = Kind.text
    /// The words to choose from.
    var choices: [String] = []
    /// Whether it has several lines.
    var isLong = false

    /// The part of the form, in their order.
    enum Group: String, CaseIterable {
        case content, optional, more, message, delivery, others, refused
    }

    /// The name that follows `hint_` in the texts: the path without the names that many share.
    var id: String {
        var words = path.split(separator: ".").map(String.init)
        if words.first == "notification" || words.first == "options" { words.removeFirst() }
        return words.joined(separator: "_").replacing("-", with: "_")
    }

    /// The values of the template; `hint` explains the field.
    func json(hint: String) -> JSONValue {
        [
            "id": .string(id), "path": .string(path), "kind": .string(kind.rawValue),
            "name": .string(path.split(separator: ".").last.map(String.init) ?? path), "hint": .string(hint),
            "is_flag": .bool(kind == .flag || kind == .critical), "is_choice": .bool(kind == .choice),
            "is_long": .bool(isLong || kind == .json), "is_code": .bool(kind == .json),
            "is_number": .bool(kind == .integer || kind == .volume), "choices": .strings(choices),
        ]
    }
}

extension ComposeField {
    /// All fields.
    ///
    /// Source: JPush REST API v3, "Push API", sections "notification", "message" and "options".
    static let all = content + optional + more + message + delivery + others + refused

    private static let content = ["title", "subtitle", "body"].map {
        ComposeField(group: .content, path: "notification.ios.alert.\($0)", kind: .alert, isLong: $0 == "body")
    }

    /// The *optional settings* of consoles.
    private static let optional = [
        ios(.optional, "content-available", as: .flag), ios(.optional, "mutable-content", as: .flag),
        ios(.optional, "badge", as: .badge), ios(.optional, "sound", as: .sound), ios(.optional, "category"),
        ios(.optional, "thread-id"), option(.optional, "time_to_live", as: .integer),
        option(.optional, "apns_collapse_id"),
        ios(.optional, "extras", as: .json),
    ]

    private static let more =
        [
            ComposeField(
                group: .more,
                path: "notification.ios.interruption-level",
                kind: .choice,
                choices: ["passive", "active", "time-sensitive", "critical"]
            ), ios(.more, "sound.critical", as: .critical), ios(.more, "sound.volume", as: .volume),
            ios(.more, "relevance-score", as: .number), ios(.more, "target-content-id"), ios(.more, "filter-criteria"),
            ComposeField(group: .more, path: "notification.alert"),
        ]
        + [
            "title-loc-key", "title-loc-args", "subtitle-loc-key", "subtitle-loc-args", "loc-key", "loc-args",
            "action-loc-key", "launch-image",
        ].map { ComposeField(group: .more, path: "notification.ios.alert.\($0)", kind: .alert) }

    private static let message = [
        ComposeField(group: .message, path: "message.msg_content", isLong: true),
        ComposeField(group: .message, path: "message.title"),
        ComposeField(group: .message, path: "message.content_type"),
        ComposeField(group: .message, path: "message.extras", kind: .json),
        ComposeField(group: .message, path: "message.alternate_title"),
        ComposeField(group: .message, path: "message.alternate_content"),
        ComposeField(group: .message, path: "inapp_message.inapp_message", kind: .flag),
    ]

    private static let delivery = [
        option(.delivery, "big_push_duration", as: .integer), option(.delivery, "x_rate", as: .integer),
        option(.delivery, "x_topic"),
        ComposeField(group: .delivery, path: "options.x_strict", kind: .choice, choices: ["true", "false"]),
        ComposeField(group: .delivery, path: "options.x_quiet_hours", kind: .choice, choices: ["false"]),
        option(.delivery, "override_msg_id", as: .integer), option(.delivery, "sendno", as: .integer),
        ComposeField(group: .delivery, path: "cid"),
    ]

    private static let others: [ComposeField] =
        [ComposeField(group: .others, path: "platform", kind: .platform), note("alternate_alert", .text)]
        + ["android", "hmos", "quickapp", "winphone"].map { note($0, .json) }
        + ["notification.voip", "live_activity", "callback", "sms_message", "notification_3rd"].map {
            ComposeField(group: .others, path: $0, kind: .json)
        }
        + [
            option(.others, "classification", as: .integer), option(.others, "target_event", as: .list),
            option(.others, "receipt_id"), option(.others, "business_operation_code"),
            ComposeField(group: .others, path: "options.notification_3rd_ver", kind: .choice, choices: ["v1", "v2"]),
        ] + ["third_party_channel", "geofence", "portal_extra"].map { option(.others, $0, as: .json) }
        + [
            "test_message", "active_push", "need_backup", "alternate_set", "auto_truncation", "mkt_enable",
            "notification_switch_filter",
        ].map { option(.others, $0, as: .flag) }

    /// Members that the service refuses, with the reason when the push is validated.
    private static let refused = [
        option(.refused, "test_model", as: .flag)
    ]

    private static func ios(_ group: Group, _ name: String, as kind: Kind = .text) -> ComposeField {
        ComposeField(group: group, path: "notification.ios.\(name)", kind: kind)
    }

    private static func option(_ group: Group, _ name: String, as kind: Kind = .text) -> ComposeField {
        ComposeField(group: group, path: "options.\(name)", kind: kind)
    }

    private static func note(_ name: String, _ kind: Kind) -> ComposeField {
        ComposeField(group: .others, path: "notification.\(name)", kind: kind)
    }
}
