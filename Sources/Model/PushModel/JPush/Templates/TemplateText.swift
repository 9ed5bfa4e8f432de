/// A text with variables, such as `Hello, {{name}}!`, taken apart once.
///
/// A variable is a name of 1 to 40 Unicode scalars without spaces, braces and `|`, in two braces or more, with or without spaces around it.
/// Anything else is text. Scalars are compared, not characters: a joiner after a brace changes nothing.
struct TemplateText: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case text(String)
        /// The name of a variable, and its place in the text as it was written.
        case variable(name: String, written: String)
    }

    private(set) var parts: [Part] = []

    /// The longest name of a variable in scalars.
    private static let nameLength = 40

    init(_ text: String) {
        let scalars = text.unicodeScalars
        var start = scalars.startIndex
        var place = scalars.startIndex
        while place < scalars.endIndex {
            guard let (name, close) = Self.variable(at: place, in: scalars) else {
                scalars.formIndex(after: &place)
                continue
            }
            var end = close
            // Further braces around it, as in `{{{name}}}`, belong to it.
            while start < place, end < scalars.endIndex, scalars[end] == "}",
                scalars[scalars.index(before: place)] == "{"
            {
                scalars.formIndex(before: &place)
                scalars.formIndex(after: &end)
            }
            if start < place { parts.append(.text(String(scalars[start..<place]))) }
            parts.append(.variable(name: String(name), written: String(scalars[place..<end])))
            start = end
            place = end
        }
        if start < scalars.endIndex { parts.append(.text(String(scalars[start...]))) }
    }

    /// Returns the name of the variable that begins at a place, and the place after it.
    ///
    /// Text that is no variable is read up to the next brace at most, so the whole text is read no more than twice.
    private static func variable(
        at place: String.UnicodeScalarView.Index,
        in scalars: String.UnicodeScalarView
    ) -> (name: Substring.UnicodeScalarView, end: String.UnicodeScalarView.Index)? {
        var rest = scalars[place...]
        guard rest.popFirst() == "{", rest.popFirst() == "{" else { return nil }
        rest = rest.drop(while: \.properties.isWhitespace)
        let name = rest.prefix { !"{}|".unicodeScalars.contains($0) && !$0.properties.isWhitespace }
        guard (1...nameLength).contains(name.count) else { return nil }
        rest = rest[name.endIndex...].drop(while: \.properties.isWhitespace)
        guard rest.popFirst() == "}", rest.popFirst() == "}" else { return nil }
        return (name, rest.startIndex)
    }
}
