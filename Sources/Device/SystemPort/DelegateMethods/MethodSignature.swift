/// A method's name and types, as the demangler writes them.
struct MethodSignature {
    /// Such as `application(_:open:options:)`.
    var name: String
    var labels: [String]
    /// The parameters' types, without what a conformance may leave out or add: `@Sendable`, an actor.
    var types: [String]
    /// The result's type, after `throws`.
    var result: String

    /// The part of the name before the parenthesis.
    var base: Substring { name.prefix { $0 != "(" } }

    /// Whether a protocol with one of the methods is satisfied by the other.
    func matches(_ other: MethodSignature) -> Bool {
        name == other.name && types == other.types && result == other.result
    }

    /// The number of parameters with the same type.
    func agreement(with other: MethodSignature) -> Int { zip(types, other.types).count { $0 == $1 } }

    /// Reads such as `application(_: UIKit.UIApplication, open: URL) -> Swift.Bool`; nil for what is not an ordinary method:
    /// private, nested, generic, a closure.
    init?(_ text: Substring) {
        guard let open = text.utf8.firstIndex(of: UInt8(ascii: "(")), open > text.startIndex,
            Self.isIdentifier(text[..<open]), let parts = Self.parts(of: text[open...])
        else { return nil }
        labels = parts.parameters.map(\.label)
        types = parts.parameters.map { Self.plain($0.type) }
        name = text[..<open] + "(" + labels.map { "\($0):" }.joined() + ")"
        // Between the parameters and the result: " async throws -> ".
        let words = parts.rest.split(separator: " ", maxSplits: 3)
        guard let arrow = words.firstIndex(of: "->"), arrow + 1 < words.count else { return nil }
        let effects = words[..<arrow].filter { $0 != "async" }.map { "\($0) " }.joined()
        result = effects + Self.plain(parts.rest[words[arrow + 1].startIndex...])
    }

    private typealias Parameter = (label: String, type: Substring)

    /// Splits `(…) -> Result` into its parameters and what follows.
    private static func parts(of text: Substring) -> (parameters: [Parameter], rest: Substring)? {
        var depth = 0
        var start = text.utf8.index(after: text.startIndex)
        var parameters: [Parameter] = []
        var last: UInt8 = 0
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            defer { last = byte }
            switch Unicode.Scalar(byte) {
            case "(", "<", "[": depth += 1
            case ">" where last == UInt8(ascii: "-"): break
            case ")", ">", "]": depth -= 1
            default: break
            }
            guard depth == 0 || depth == 1 && byte == UInt8(ascii: ",") else { continue }
            let parameter = text[start..<index]
            if !parameter.isEmpty { parameters.append(split(parameter)) }
            start = text.utf8.index(after: index)
            if depth == 0 { return (parameters, text[start...]) }
        }
        return nil
    }

    /// Splits `label: Type`; a single parameter without a label has only its type.
    private static func split(_ parameter: Substring) -> Parameter {
        let parameter = parameter.first == " " ? parameter.dropFirst() : parameter
        guard let colon = parameter.utf8.firstIndex(of: UInt8(ascii: ":")), isIdentifier(parameter[..<colon])
        else { return ("_", parameter) }
        return (String(parameter[..<colon]), parameter[colon...].dropFirst(2))
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "\u{80}"...: true
            default: false
            }
        }
    }

    /// The type without attributes and ownership, which do not decide which method a conformance uses.
    private static func plain(_ type: Substring) -> String {
        guard type.utf8.contains(UInt8(ascii: " ")) else { return String(type) }
        var result = ""
        for word in type.split(separator: " ", omittingEmptySubsequences: false) {
            if let at = word.firstIndex(of: "@") {
                result += word[..<at]
            } else if !["__owned", "__shared", "sending", "nonisolated(nonsending)"].contains(word) {
                result += word + " "
            }
        }
        return String(result.dropLast())
    }
}
