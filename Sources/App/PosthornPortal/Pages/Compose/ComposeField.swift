import PushModel
import PushService

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

    /// The values of the template, with the name and the explanation in the user's language.
    func values(_ texts: Catalogue) -> PageValues {
        [
            "id": id, "path": path, "kind": kind.rawValue,
            "name": path.split(separator: ".").last.map(String.init) ?? path,
            "label": texts["compose", "label_\(id)"], "hint": texts["compose", "hint_\(id)"],
            "is_flag": kind == .flag || kind == .critical, "is_choice": kind == .choice,
            "is_long": isLong || kind == .json, "is_code": kind == .json,
            "is_number": kind == .integer || kind == .volume, "choices": choices,
        ]
    }
}

extension ComposeField {
    /// All fields.
    ///
    /// Source: JPush REST API v3, "Push API", sections "notification", "message" and "options".
    static let all = table.flatMap { group, prefix, kind, names in
        names.map { name -> ComposeField in
            let path = prefix + name
            let isLong = long.contains(path)
            return ComposeField(group: group, path: path, kind: kind, choices: choices[path] ?? [], isLong: isLong)
        }
    }

    /// The names of members in the order of the form, by their part of it and the start of their paths.
    private static let table: [(group: Group, prefix: String, kind: Kind, names: [String])] = [
        (.content, "notification.ios.alert.", .alert, ["title", "subtitle", "body"]),
        // The *optional settings* of consoles.
        (.optional, "notification.ios.", .flag, ["content-available", "mutable-content"]),
        (.optional, "notification.ios.", .badge, ["badge"]), (.optional, "notification.ios.", .sound, ["sound"]),
        (.optional, "notification.ios.", .text, ["category", "thread-id"]),
        (.optional, "options.", .integer, ["time_to_live"]), (.optional, "options.", .text, ["apns_collapse_id"]),
        (.optional, "notification.ios.", .json, ["extras", "x_localized"]),
        (.more, "notification.ios.", .choice, ["interruption-level"]),
        (.more, "notification.ios.", .critical, ["sound.critical"]),
        (.more, "notification.ios.", .volume, ["sound.volume"]),
        (.more, "notification.ios.", .number, ["relevance-score"]),
        (.more, "notification.", .text, ["ios.target-content-id", "ios.filter-criteria", "alert"]),
        (.more, "notification.ios.alert.", .alert, ["title-loc-key", "title-loc-args", "subtitle-loc-key"]),
        (.more, "notification.ios.alert.", .alert, ["subtitle-loc-args", "loc-key", "loc-args", "action-loc-key"]),
        (.more, "notification.ios.alert.", .alert, ["launch-image"]),
        (.message, "message.", .text, ["msg_content", "title", "content_type"]),
        (.message, "message.", .json, ["extras"]),
        (.message, "message.", .text, ["alternate_title", "alternate_content"]),
        (.message, "inapp_message.", .flag, ["inapp_message"]), (.message, "inapp_message.", .json, ["x_localized"]),
        (.delivery, "options.", .integer, ["big_push_duration", "x_spread", "x_rate", "x_unless_opened", "x_undo"]),
        (.delivery, "options.", .text, ["x_topic"]), (.delivery, "options.", .flag, ["x_read_group"]),
        (.delivery, "options.", .choice, ["x_strict", "x_quiet_hours"]),
        (.delivery, "options.", .integer, ["override_msg_id", "sendno"]), (.delivery, "", .text, ["cid"]),
        (.others, "", .platform, ["platform"]), (.others, "notification.", .text, ["alternate_alert"]),
        (.others, "notification.", .json, ["android", "hmos", "quickapp", "winphone", "voip"]),
        (.others, "", .json, ["live_activity", "callback", "sms_message", "notification_3rd"]),
        (.others, "options.", .integer, ["classification"]), (.others, "options.", .list, ["target_event"]),
        (.others, "options.", .text, ["receipt_id", "business_operation_code"]),
        (.others, "options.", .choice, ["notification_3rd_ver"]),
        (.others, "options.", .json, ["third_party_channel", "geofence", "portal_extra"]),
        (.others, "options.", .flag, ["test_message", "active_push", "need_backup", "alternate_set"]),
        (.others, "options.", .flag, ["auto_truncation", "mkt_enable", "notification_switch_filter"]),
        // The service refuses it, with the reason when the push is validated.
        (.refused, "options.", .flag, ["test_model"]),
    ]

    private static let long: Set = ["notification.ios.alert.body", "message.msg_content"]
    private static let choices = [
        "notification.ios.interruption-level": ["passive", "active", "time-sensitive", "critical"],
        "options.x_strict": ["true", "false"], "options.x_quiet_hours": ["false"],
        "options.notification_3rd_ver": ["v1", "v2"],
    ]
}
