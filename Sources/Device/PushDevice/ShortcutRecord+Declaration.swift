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
        self =
            switch value {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .integer(let integer): .integer(integer)
            case .double, .decimal: value.integer.map(Self.integer) ?? value.double.map(Self.double) ?? .null
            case .string(let string): .string(string)
            case .array(let array): .array(array.map(Self.init))
            case .object(let object):
                .dictionary(
                    Dictionary(
                        object.members.map { (.string($0.key), Self($0.value)) },
                        uniquingKeysWith: { _, last in last }
                    )
                )
            }
    }
}
