import Foundation
import Testing

/// One line of `callback-matrix.csv`.
struct MatrixLine: Sendable {
    private let cells: [String: String]

    subscript(column: String) -> String { cells[column] ?? "" }

    /// The whole file.
    static func all() throws -> [MatrixLine] {
        let url = try #require(
            Bundle.module.url(forResource: "callback-matrix", withExtension: "csv", subdirectory: "Fixtures")
        )
        var lines = parse(try String(contentsOf: url, encoding: .utf8))
        let names = lines.removeFirst()
        return lines.map { line in
            MatrixLine(cells: Dictionary(zip(names, line)) { first, _ in first })
        }
    }

    /// Fields may be quoted; none spans lines.
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
