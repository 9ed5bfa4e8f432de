import Foundation

/// A remark on a push that is accepted, and is probably not what its sender meant.
package struct PushWarning: Hashable, Sendable {
    /// The kinds of warnings.
    package enum Kind: String, Hashable, Sendable {
        /// A shown text has a placeholder that a template engine has not filled in.
        case placeholder
        /// A member is accepted and has no effect here.
        case noEffect = "no_effect"
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
        var warnings = PushReader(push).ignored.map { path in
            PushWarning(kind: .noEffect, path: path, found: path.split(separator: ".").last.map { String($0) } ?? path)
        }
        for path in ["notification.alert", "notification.ios.alert", "message", "live_activity.ios.alert"] {
            let value = path.split(separator: ".").reduce(JSONValue.object(push)) { $0.object?[String($1)] ?? .null }
            add(value, at: path, to: &warnings)
        }
        return warnings
    }

    /// Refuses a push for which there are warnings.
    ///
    /// - Throws: 1009 for a member without effect, 1003 for another warning.
    package static func refuse(_ body: ArraySlice<UInt8>) throws(JPushError) {
        guard let warning = all(in: body).first else { return }
        let message = "\(warning.message) The push is strict, so it is refused."
        throw warning.kind == .noEffect ? .unsupportedKey(message) : .badValue(message)
    }

    /// Whether a body may have a placeholder. It costs next to nothing, because it runs for every push.
    package static func mayConcern(_ body: ArraySlice<UInt8>) -> Bool {
        unsafe body.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var place = 0
            while place < bytes.count,
                let brace = unsafe memchr(start + place, Int32(UInt8(ascii: "{")), bytes.count - place)
            {
                let index = unsafe UnsafeRawPointer(brace) - start
                // Outside strings, JSON has neither.
                if unsafe index > 0 && bytes[index - 1] == UInt8(ascii: "$") { return true }
                if unsafe index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{") { return true }
                place = index + 1
            }
            return false
        }
    }

    private static func add(_ value: JSONValue, at path: String, to warnings: inout [PushWarning]) {
        switch value {
        case .string(let text):
            // Variables of alert texts are filled in.
            let rest = path.hasPrefix("notification.") ? text.withoutAttributeVariables : text
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

    /// Returns the first `{{…}}` or `${…}` of a text; nil if there is none.
    private static func placeholder(in text: String) -> String? {
        let found = [("{{", "}}"), ("${", "}")].compactMap { opening, closing -> Substring? in
            guard let start = text.firstRange(of: opening), let end = text[start.upperBound...].firstRange(of: closing),
                !text[start.upperBound..<end.lowerBound].allSatisfy(\.isWhitespace)
            else { return nil }
            return text[start.lowerBound..<end.upperBound]
        }
        return found.min { $0.startIndex < $1.startIndex }.map { String($0.prefix(80)) }
    }
}

extension String {
    /// The text without variables of the form `{{name|default}}`, which are filled with the attributes of each device.
    ///
    /// Takes linear time, because anybody may send a text that begins many variables and ends none.
    fileprivate var withoutAttributeVariables: String {
        let bytes = Array(utf8)
        var rest: [UInt8] = []
        var place = 0
        while place < bytes.count {
            guard let start = Self.defaultOfVariable(at: place, in: bytes) else {
                rest.append(bytes[place])
                place += 1
                continue
            }
            var end = start
            while end < bytes.count, !bytes[end...].starts(with: "}}".utf8) { end += 1 }
            guard end < bytes.count else {
                // No braces end this variable, nor any after it.
                rest += bytes[place...]
                break
            }
            place = end + 2
        }
        return String(decoding: rest, as: UTF8.self)
    }

    /// Returns the place of the default of the variable that begins at a place; nil if none does.
    private static func defaultOfVariable(at place: Int, in bytes: [UInt8]) -> Int? {
        guard bytes[place...].starts(with: "{{".utf8) else { return nil }
        let name = bytes[(place + 2)...].prefix(40).prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
        guard !name.isEmpty, name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "|") else { return nil }
        return name.endIndex + 1
    }
}
