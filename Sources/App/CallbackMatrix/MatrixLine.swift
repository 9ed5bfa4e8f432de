import CMatrix

/// One line of a table of `Sources/App/CMatrix`.
package struct MatrixLine: Sendable {
    private let cells: [String: String]

    package subscript(column: String) -> String { cells[column] ?? "" }

    /// The names of the columns of the table of callbacks, in order; nil if it is empty.
    package static var columns: [String]? { parse(callbacks).first }

    /// All lines of the table of callbacks, in order.
    package static var all: [MatrixLine] { read(callbacks) }

    /// All lines of the table of Live Activities, in order.
    static var activities: [MatrixLine] { read(unsafe text(of: matrix_activities())) }

    private static let callbacks = unsafe text(of: matrix_callbacks())

    private static func text(of table: matrix_table) -> String {
        // The bytes are constants of the binary.
        unsafe String(decoding: UnsafeBufferPointer(start: table.bytes, count: table.length), as: UTF8.self)
    }

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
