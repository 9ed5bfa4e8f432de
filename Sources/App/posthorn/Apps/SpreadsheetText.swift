/// Text in a CSV file that spreadsheets do not take for a formula.
///
/// A spreadsheet computes a cell that begins with one of these characters, so an alias could read or send what the sheet has. An
/// apostrophe before it keeps it text. `posthorn import` takes that one away. Source: OWASP, "CSV Injection".
enum SpreadsheetText {
    /// Some spreadsheets take the full-width forms for the others.
    private static let beginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    /// Returns the text for a cell.
    static func quoted(_ text: String) -> String { isFormula(text) ? "'" + text : text }

    /// Returns tags for a cell, separated by semicolons, at which some spreadsheets begin another cell.
    static func quoted(_ tags: [String]) -> String { tags.map(quoted).joined(separator: ";") }

    /// Returns the text of a cell.
    static func unquoted(_ text: String) -> String {
        text.unicodeScalars.first == "'" && isFormula(text) ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// Returns the tags of a cell, separated by semicolons or commas, as they were before the apostrophes.
    static func unquotedTags(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0 == ";" || $0 == "," }
            .map { unquoted(String($0.drop(while: \.isWhitespace))) }.joined(separator: ";")
    }

    /// Whether the text begins with a character of formulas, perhaps after apostrophes: those would be taken for the one added here.
    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != "'" }.map(beginnings.contains) ?? false
    }
}
