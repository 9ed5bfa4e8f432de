import Foundation

/// A remark on a push that is accepted, and is probably not what its sender meant.
package struct PushWarning: Hashable, Sendable {
    /// The kinds of warnings.
    package enum Kind: String, Hashable, Sendable {
        /// A shown text has a placeholder that a template engine has not filled in.
        case placeholder
        /// A member is accepted and has no effect here.
        case noEffect = "no_effect"
        /// A member is about a notification, and the push has none.
        case noNotification = "no_notification"
        /// A member is nearly one that is known, or stands in the wrong place.
        case misspelt
        /// An alert has languages as its members.
        case languages
        /// An alert has no member that Apple's alerts have.
        case noText = "no_text"
        /// A value is for a variable that the template does not have.
        case unused
    }

    package var kind: Kind
    /// The member of the push, such as `notification.ios.alert.body`.
    package var path: String
    /// The part of the member that the warning is about.
    package var found: String

    package var message: String {
        switch kind {
        case .placeholder:
            "'\(path)' has the placeholder '\(found)'. It is sent as it is: fill in templates before you send the push."
        case .noEffect: "'\(path)' has no effect here: this service delivers to Apple's devices, by APNs alone."
        case .noNotification: "'\(path)' has no effect in a push without 'notification'."
        case .misspelt: "'\(path)' has no effect. Did you mean '\(found)'?"
        case .noText:
            "'\(path)' has no member of Apple's alerts, such as 'title' or 'body', so nothing would be shown: it has '\(found)'."
        case .languages:
            """
            '\(path)' has the language '\(found)' as a member, so nothing would be shown. Texts by language belong in \
            'notification.ios.x_localized', with a plain 'alert' for all other languages.
            """
        case .unused: "'\(path)' has no effect: the template has no variable '\(found)'."
        }
    }
}

extension PushWarning: JSONVersioned {
    package static var form: JSONForm<PushWarning> {
        JSONForm("a warning") { json in
            guard let kind = json.object?["code"]?.string.flatMap(Kind.init), let path = json.object?["path"]?.string,
                let found = json.object?["found"]?.string
            else { return nil }
            return PushWarning(kind: kind, path: path, found: found)
        }
    }

    package var json: JSONValue {
        ["code": .string(kind.rawValue), "path": .string(path), "found": .string(found), "message": .string(message)]
    }
}

extension PushWarning {
    /// Returns the warnings about a request whose push is valid: a push object, an entry of a batch, or a schedule.
    package static func all(in body: ArraySlice<UInt8>) -> [PushWarning] {
        guard let object = (try? JSONValue(parsing: body))?.object else { return [] }
        let push = (object["push"]?.object ?? object).withoutNulls
        let reader = PushReader(push)
        var warnings = reader.ignored.map { path in
            let name = path.split(separator: ".").last.map { String($0) } ?? path
            if let meant = reader.option(near: name, at: path) {
                return PushWarning(kind: .misspelt, path: path, found: meant)
            }
            let isAlone = reader.notification == nil && PushReader.needsNotification(name)
            return PushWarning(kind: isAlone ? .noNotification : .noEffect, path: path, found: name)
        }
        let texts = [
            "notification.alert", "notification.ios.alert", "notification.ios.x_localized", "inapp_message.x_localized",
            "message", "live_activity.ios.alert",
        ]
        for path in texts {
            let value = path.split(separator: ".").reduce(JSONValue.object(push)) { $0.object?[String($1)] ?? .null }
            add(value, at: path, to: &warnings)
            if path == "notification.ios.alert", let warning = mistake(in: value, at: path) { warnings.append(warning) }
            guard path == "notification.ios.x_localized" else { continue }
            for text in value.object?.members ?? [] {
                if let warning = mistake(in: text.value, at: "\(path).\(text.key)") { warnings.append(warning) }
            }
        }
        return warnings
    }

    /// Refuses a push for which there are warnings.
    ///
    /// - Throws: 1009 for a member without effect of any kind, 1003 for another warning.
    package static func refuse(_ body: ArraySlice<UInt8>) throws(JPushError) {
        guard let warning = all(in: body).first else { return }
        let message = "\(warning.message) The push is strict, so it is refused."
        let isKey = [.noEffect, .noNotification, .misspelt].contains(warning.kind)
        throw isKey ? .unsupportedKey(message) : .badValue(message)
    }

    /// Whether a body may have a placeholder. It costs next to nothing, because it runs for every push.
    package static func mayConcern(_ body: ArraySlice<UInt8>) -> Bool {
        // Outside strings, JSON has none of these.
        has(UInt8(ascii: "{"), in: body) { before, after in
            switch (before.last, after) {
            case (UInt8(ascii: "$"), _), (UInt8(ascii: "#"), _), (UInt8(ascii: "%"), _): true
            case (_, UInt8(ascii: "{")), (_, UInt8(ascii: "%")): true
            default: false
            }
        }
            || has(UInt8(ascii: "%"), in: body) { before, _ in
                // Some libraries write `<` as `\u003c`.
                before.last == UInt8(ascii: "<")
                    || before.last | 0x20 == UInt8(ascii: "c") && before.first == UInt8(ascii: "3")
            }
    }

    /// Whether a byte is in a body, with these two bytes before it and this one after it; 0 stands for none.
    private static func has(
        _ byte: UInt8,
        in body: ArraySlice<UInt8>,
        where isMark: (_ before: (first: UInt8, last: UInt8), _ after: UInt8) -> Bool
    ) -> Bool {
        unsafe body.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var place = 0
            while place < bytes.count, let found = unsafe memchr(start + place, Int32(byte), bytes.count - place) {
                let index = unsafe UnsafeRawPointer(found) - start
                let first = unsafe index > 1 ? bytes[index - 2] : 0
                let last = unsafe index > 0 ? bytes[index - 1] : 0
                let after = unsafe index + 1 < bytes.count ? bytes[index + 1] : 0
                if isMark((first, last), after) { return true }
                place = index + 1
            }
            return false
        }
    }

    private static func add(_ value: JSONValue, at path: String, to warnings: inout [PushWarning]) {
        switch value {
        case .string(let text):
            // Variables of alert texts are filled in.
            let rest =
                path.hasPrefix("notification.") || path.hasPrefix("inapp_message.")
                ? AttributeTemplate.text(without: text) : text
            guard let found = placeholder(in: rest) else { return }
            warnings.append(PushWarning(kind: .placeholder, path: path, found: found))
        case .array(let values):
            for (index, value) in values.enumerated() { add(value, at: "\(path)[\(index)]", to: &warnings) }
        case .object(let object):
            // The caller's own data may be a template of the app.
            for member in object.members where member.key != "extras" {
                add(member.value, at: "\(path).\(member.key)", to: &warnings)
            }
        case .null, .bool, .integer, .double, .decimal: break
        }
    }

    /// The beginnings and ends of placeholders: of Mustache and its relatives, shells, Ruby, Jinja and embedded scripts.
    private static let marks: [(opening: String, closing: String)] = [
        ("{{", "}}"), ("${", "}"), ("#{", "}"), ("%{", "}"), ("{%", "%}"), ("<%", "%>"),
    ]

    /// The octets that ``marks`` begin with.
    private static let firsts = Set(marks.compactMap(\.opening.utf8.first))

    /// Returns the first placeholder of a text; nil if there is none.
    private static func placeholder(in text: String) -> String? {
        let octets = Array(text.utf8)
        func has(_ mark: String, at place: Int) -> Bool { octets[place...].starts(with: mark.utf8) }
        var marks = marks
        for place in octets.indices where firsts.contains(octets[place]) {
            guard let mark = marks.firstIndex(where: { has($0.opening, at: place) }) else { continue }
            let start = place + marks[mark].opening.utf8.count
            guard let end = octets.indices[start...].first(where: { has(marks[mark].closing, at: $0) }) else {
                // A later one has no end either.
                marks.remove(at: mark)
                continue
            }
            let name = String(decoding: octets[start..<end], as: UTF8.self)
            guard name.unicodeScalars.allSatisfy(\.properties.isWhitespace) else {
                let found = String(decoding: octets[place..<end + marks[mark].closing.utf8.count], as: UTF8.self)
                return String(found.unicodeScalars.prefix(80))
            }
        }
        return nil
    }
}
