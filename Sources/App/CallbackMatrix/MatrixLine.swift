/// One line of the table.
package struct MatrixLine: Sendable {
    private let cells: [String: String]

    package subscript(column: String) -> String { cells[column] ?? "" }

    /// The names of the table's columns, in order; nil if it is empty.
    package static var columns: [String]? { parse(MatrixTable.text).first }

    /// All lines of the table, in order.
    package static var all: [MatrixLine] { read(MatrixTable.text) }

    /// Parses comma-separated values whose first line names the columns.
    package static func read(_ text: String) -> [MatrixLine] {
        var lines = parse(text)
        let names = lines.removeFirst()
        return lines.map { line in
            MatrixLine(cells: Dictionary(zip(names, line)) { first, _ in first })
        }
    }

    /// Parses fields, which may be quoted but not span lines.
    private static func parse(_ text: String) -> [[String]] {
        text.split(whereSeparator: \.isNewline).map { line in
            var fields: [String] = [""]
            var isQuoted = false
            for character in line {
                if character == "\"" {
                    isQuoted.toggle()
                } else if character == ",", !isQuoted {
                    fields.append("")
                } else {
                    fields[fields.count - 1].append(character)
                }
            }
            return fields
        }
    }
}
