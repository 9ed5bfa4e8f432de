package import Foundation

/// A report as lines on a terminal, as Markdown and as a file.
extension CalibrationReport {
    package static func read(_ path: String) throws -> CalibrationReport {
        try JSONDecoder().decode(CalibrationReport.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// Writes the report as JSON, and as Markdown to the file of the same name with the ending `.md`.
    package func write(_ path: String) throws {
        try json.write(to: URL(filePath: path), options: .atomic)
        try Data(markdown.utf8).write(to: Self.markdownFile(of: path), options: .atomic)
    }

    package static func markdownFile(of path: String) -> URL {
        URL(filePath: path).deletingPathExtension().appendingPathExtension("md")
    }

    package var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }

    /// One sentence about the counts: `163 of 170 rows: 160 agree, 2 differ, 1 not decided.`
    package var summary: String {
        "\(rows.count) of \(planned) rows: \(count(.agrees)) agree, \(count(.differs)) differ, "
            + "\(count(.undecided)) not decided."
    }

    /// The report as a page of its own.
    package var markdown: String {
        var lines = ["# \(kind.original), \(subject)", ""]
        lines += ["Compared with Posthorn \(version) on \(day). \(summary)", ""]
        for verdict in [Verdict.differs, .undecided, .agrees] where count(verdict) > 0 {
            lines += ["## \(verdict.title)", "", "| row | \(kind.original) | Posthorn |", "| --- | --- | --- |"]
            for row in rows where row.verdict == verdict {
                lines.append(row.tableLine(row.note ?? row.text(of: row.theirs), row.text(of: row.ours)))
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}

extension CalibrationReport.Kind {
    /// The name of the original in texts.
    package var original: String {
        switch self {
        case .apns: "APNs"
        case .phone: "iPhone"
        }
    }
}

extension CalibrationReport.Verdict {
    fileprivate var title: String {
        switch self {
        case .agrees: "Agrees"
        case .differs: "Differs"
        case .undecided: "Not decided"
        }
    }

    fileprivate var mark: String {
        switch self {
        case .agrees: "✔"
        case .differs: "✘"
        case .undecided: "?"
        }
    }
}

extension CalibrationReport.Row {
    /// The row on a terminal: a mark, its name and the observation, and a line for each difference.
    package func lines(of kind: CalibrationReport.Kind) -> [String] {
        let title = name.padding(toLength: max(name.count, 44), withPad: " ", startingAt: 0)
        let rest =
            note
            ?? differences.map {
                "\($0.aspect): \(kind.original) \($0.theirs), Posthorn \($0.ours)"
            }.joined(separator: "\n" + String(repeating: " ", count: 47))
        return ["\(verdict.mark) \(title) \(rest.isEmpty ? text(of: theirs) : rest)"]
    }

    /// The values of an observation in one line; in a row that differs, of the aspects that do.
    func text(of observation: [String: String]) -> String {
        let aspects = verdict == .differs ? differences.map(\.aspect) : observation.keys.sorted()
        return aspects.map { "\($0) \(observation[$0] ?? "none")" }.joined(separator: ", ")
    }

    func tableLine(_ cells: String...) -> String {
        "| \(([name] + cells).map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
    }
}
