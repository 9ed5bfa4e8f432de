#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

/// The rules for tags and aliases, checked before anything is sent.
///
/// Source: JPush iOS SDK documentation, tags and alias.
enum TagRules {
    static let bytes = 40
    static let count = 1000
    /// The limit for one call.
    static let totalBytes = 5000
    /// The limit for one call before SDK 3.0.6.
    static let oldTotalBytes = 7000

    /// Returns the texts of tags; one that is no text, such as a number from JavaScript, is empty, which is no valid tag.
    static func texts(_ tags: Set<AnyHashable>) -> Set<String> { Set(tags.map { $0.base as? String ?? "" }) }

    /// Returns the text of a caller; one that is none, such as a number from JavaScript, is a space, which no rule allows.
    static func text(_ given: Any?) -> String? { given.map { $0 as? String ?? " " } }

    /// Returns 0, or the client result code.
    static func code(tags: Set<String>?) -> Int {
        guard let tags, !tags.isEmpty else { return ResultCode.nothingToSet }
        return code(tags, totalBytes)
    }

    /// Returns 0, or the client result code, for the calls before SDK 3.0.6: an empty set clears.
    static func oldCode(tags: Set<String>) -> Int { code(tags, oldTotalBytes) }

    private static func code(_ tags: Set<String>, _ totalBytes: Int) -> Int {
        if !tags.allSatisfy(isSpeltWell) { return 6005 }
        if tags.contains(where: { $0.utf8.count > bytes }) { return 6006 }
        if tags.count > count { return 6007 }
        return tags.reduce(0) { $0 + $1.utf8.count } > totalBytes ? 6008 : 0
    }

    /// Returns 0, or the client result code.
    static func code(alias: String?) -> Int {
        guard let alias, !alias.isEmpty else { return ResultCode.nothingToSet }
        return oldCode(alias: alias)
    }

    /// Returns 0, or the client result code, for the calls before SDK 3.0.6: an empty alias clears.
    static func oldCode(alias: String) -> Int {
        if alias.isEmpty { return 0 }
        if !isSpeltWell(alias) { return 6003 }
        return alias.utf8.count > bytes ? 6004 : 0
    }

    static func isValid(tag: String) -> Bool { isSpeltWell(tag) && tag.utf8.count <= bytes }

    /// Returns 0, or the client result code: `+` or a digit, then digits and `-`, at most 20 characters.
    static func code(mobile: String) -> Int {
        let characters = Array(mobile.unicodeScalars)
        let isWell = characters.enumerated().allSatisfy { place, scalar in
            "0"..."9" ~= scalar || (place == 0 ? scalar == "+" : scalar == "-")
        }
        if !isWell { return ResultCode.phoneInvalid }
        return characters.count > 20 ? ResultCode.phoneLong : 0
    }

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

#endif
