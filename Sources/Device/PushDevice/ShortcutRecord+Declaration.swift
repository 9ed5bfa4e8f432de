import PushModel
import SystemPort

extension ShortcutRecord {
    /// Creates a quick action from an element of `UIApplicationShortcutItems` in an Info.plist; nil without type or title, which
    /// are required.
    init?(declaration: JSONObject) {
        guard let type = declaration["UIApplicationShortcutItemType"]?.string,
            let title = declaration["UIApplicationShortcutItemTitle"]?.string
        else { return nil }
        self.init(type: type, title: title)
        subtitle = declaration["UIApplicationShortcutItemSubtitle"]?.string
        if let symbol = declaration["UIApplicationShortcutItemIconSymbolName"]?.string {
            icon = .symbol(symbol)
        } else if let file = declaration["UIApplicationShortcutItemIconFile"]?.string {
            icon = .template(file)
        } else if let name = declaration["UIApplicationShortcutItemIconType"]?.string {
            icon = Self.iconTypes.firstIndex(of: name).map(Icon.system)
        }
        if let info = declaration["UIApplicationShortcutItemUserInfo"] { userInfo = InfoValue(info) }
        targetContentIdentifier = declaration["UIApplicationShortcutItemTargetContentIdentifier"]?.string
    }

    /// The names in the order of `UIApplicationShortcutIcon.IconType`.
    private static let iconTypes = [
        "Compose", "Play", "Pause", "Add", "Location", "Search", "Share", "Prohibit", "Contact", "Home", "MarkLocation",
        "Favorite", "Love", "Cloud", "Invitation", "Confirmation", "Mail", "Message", "Date", "Time", "CapturePhoto",
        "CaptureVideo", "Task", "TaskCompleted", "Alarm", "Bookmark", "Shuffle", "Audio", "Update",
    ].map { "UIApplicationShortcutIconType\($0)" }
}

extension InfoValue {
    /// Creates the value of an Info.plist.
    init(_ value: JSONValue) {
        if let bool = value.bool {
            self = .bool(bool)
        } else if let integer = value.integer {
            self = .integer(integer)
        } else if let double = value.double {
            self = .double(double)
        } else if let string = value.string {
            self = .string(string)
        } else if let array = value.array {
            self = .array(array.map(InfoValue.init))
        } else if let object = value.object {
            let members = object.members.map { (InfoValue.string($0.key), InfoValue($0.value)) }
            self = .dictionary(Dictionary(members, uniquingKeysWith: { _, last in last }))
        } else {
            self = .null
        }
    }
}
