/// Text in a CSV file that spreadsheets do not take for a formula.
///
/// A spreadsheet computes a cell that begins with one of these characters, so an alias could read or send what the sheet has. An
/// apostrophe before it keeps it text. `posthorn import` takes that one away. Source: OWASP, "CSV Injection".
enum SpreadsheetText {
    private static let beginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r"]

    /// Returns the text for a cell.
    static func quoted(_ text: String) -> String { isFormula(text) ? "'" + text : text }

    /// Returns the text of a cell.
    static func unquoted(_ text: String) -> String {
        text.unicodeScalars.first == "'" && isFormula(text) ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// Whether the text begins with a character of formulas, perhaps after apostrophes: those would be taken for the one added here.
    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != "'" }.map(beginnings.contains) ?? false
    }
}
