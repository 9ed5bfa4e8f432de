/// What a tag and an alias may be, checked before anything is sent.
///
/// Source: JPush iOS SDK documentation, tags and alias.
enum TagRules {
    static let bytes = 40
    static let count = 1000
    static let totalBytes = 5000

    /// 0, or the client result code.
    static func code(tags: Set<String>?) -> Int {
        guard let tags, !tags.isEmpty else { return 6001 }
        if !tags.allSatisfy(isSpeltWell) { return 6005 }
        if tags.contains(where: { $0.utf8.count > bytes }) { return 6006 }
        if tags.count > count { return 6007 }
        return tags.reduce(0) { $0 + $1.utf8.count } > totalBytes ? 6008 : 0
    }

    /// 0, or the client result code.
    static func code(alias: String?) -> Int {
        guard let alias, !alias.isEmpty else { return 6001 }
        if !isSpeltWell(alias) { return 6003 }
        return alias.utf8.count > bytes ? 6004 : 0
    }

    static func isValid(tag: String) -> Bool { isSpeltWell(tag) && tag.utf8.count <= bytes }

    private static func isSpeltWell(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "\u{4E00}"..."\u{9FFF}", "\u{3400}"..."\u{4DBF}": true
                default: "_@!#$&*+=.|".unicodeScalars.contains(scalar)
                }
            }
    }
}
