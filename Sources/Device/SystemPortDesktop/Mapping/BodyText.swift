/// The text below the title. A notification of the desktop has no subtitle: it becomes the first line.
enum BodyText {
    /// - Parameters:
    ///   - subtitle: empty for none.
    ///   - body: empty for none.
    ///   - isMarkup: whether the server reads the text as markup.
    /// - Returns: the text; empty if both are.
    static func make(subtitle: String, body: String, isMarkup: Bool) -> String {
        let lines = [subtitle, body].map { isMarkup ? escape($0) : $0 }
        guard !lines[0].isEmpty else { return lines[1] }
        let first = isMarkup ? "<b>\(lines[0])</b>" : lines[0]
        return lines[1].isEmpty ? first : "\(first)\n\(lines[1])"
    }

    /// Returns a text for a server that reads markup, which shows it as it is.
    ///
    /// Source: Desktop Notifications Specification, "Markup": a subset of XML.
    static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
