/// A header field such as `form-data; name="filename"; filename="a.txt"`.
///
/// It is parsed by scalars: a quote followed by a combining accent is one Swift `Character`, but still ends a string.
///
/// Source: RFC 2045, section 5.1; RFC 2183; RFC 7578, section 2, for a quote in a file name as browsers write it.
struct HeaderParameters {
    private typealias Rest = Substring.UnicodeScalarView

    /// The text before the first semicolon.
    private(set) var value = ""
    private var parameters: [String: String] = [:]

    /// Parses the field; parameters that cannot be parsed are dropped.
    init(_ text: String) {
        var rest = Substring(text).unicodeScalars
        value = Self.take(from: &rest) { $0 == ";" }.trimmed
        while rest.popFirst() != nil {
            let name = Self.take(from: &rest) { $0 == "=" || $0 == ";" }.trimmed.lowercased()
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            rest = rest.drop { $0 == " " || $0 == "\t" }
            if rest.first == "\"" {
                rest.removeFirst()
                guard let quoted = Self.takeQuoted(from: &rest) else { return }
                parameters[name] = quoted
                _ = Self.take(from: &rest) { $0 == ";" }
            } else {
                parameters[name] = Self.take(from: &rest) { $0 == ";" }.trimmed
            }
        }
    }

    subscript(name: String) -> String? { parameters[name] }

    private static func take(from rest: inout Rest, until isEnd: (Unicode.Scalar) -> Bool) -> Rest {
        let end = rest.firstIndex(where: isEnd) ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    /// Returns the text up to the closing quote; nil without one.
    private static func takeQuoted(from rest: inout Rest) -> String? {
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(text.replacing("%22".unicodeScalars, with: "\"".unicodeScalars))
            case "\\":
                // Some browsers send a Windows path unescaped, so only a quote or a backslash counts as escaped.
                if let next = rest.first, next == "\"" || next == "\\" {
                    rest.removeFirst()
                    text.append(next)
                } else {
                    text.append(scalar)
                }
            default: text.append(scalar)
            }
        }
        return nil
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var trimmed: String {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
