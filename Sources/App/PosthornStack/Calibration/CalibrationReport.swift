import AppleDeveloper
package import Foundation

/// The result of comparing Posthorn with the original that it emulates, row by row.
///
/// A report is made to be published: its members have values from closed vocabularies, such as a status, a reason or the name of
/// a callback, and none that names a team, a key, a topic, a token or an address.
package struct CalibrationReport: Codable, Hashable, Sendable {
    /// The original.
    package enum Kind: String, Codable, Sendable {
        case apns, phone
    }

    package enum Verdict: String, Codable, Sendable {
        case agrees, differs
        case undecided = "not decided"
    }

    package struct Row: Codable, Hashable, Sendable {
        /// The name of the row, which is unique in its table and stays the same from version to version.
        package var name: String
        package var verdict: Verdict
        /// The aspects of the original's behaviour, such as `status`, and their values.
        package var theirs: [String: String]
        package var ours: [String: String]
        /// The cause, in a row that is not decided.
        package var note: String?

        /// Compares two observations: they agree if all aspects are equal.
        package init(_ name: String, theirs: [String: String], ours: [String: String]) {
            self.name = name
            verdict = theirs == ours ? .agrees : .differs
            self.theirs = theirs
            self.ours = ours
        }

        /// Creates a row that could not be compared.
        package init(undecided name: String, because note: String) {
            self.name = name
            self.note = note
            verdict = .undecided
            theirs = [:]
            ours = [:]
        }

        /// The aspects that differ, by name.
        package var differences: [(aspect: String, theirs: String, ours: String)] {
            guard verdict == .differs else { return [] }
            return Self.ordered(Set(theirs.keys).union(ours.keys)).compactMap { aspect in
                let pair = (theirs[aspect] ?? "none", ours[aspect] ?? "none")
                return pair.0 == pair.1 ? nil : (aspect, pair.0, pair.1)
            }
        }

        /// Sorts aspects for people: status and reason first.
        fileprivate static func ordered(_ aspects: some Sequence<String>) -> [String] {
            func place(_ aspect: String) -> Int { ["status", "reason"].firstIndex(of: aspect) ?? 2 }
            return aspects.sorted { (place($0), $0) < (place($1), $1) }
        }
    }

    package var kind: Kind
    /// The counterpart, in fixed words: `development, with a key`, or `iOS 26.1`.
    package var subject: String
    /// The version of Posthorn.
    package var version: String
    /// The day of the last row, as `2026-11-27` in UTC.
    package var day: String
    /// The number of rows of the whole table; more than ``rows`` has while the comparison is not finished.
    package var planned: Int
    package var rows: [Row] = []

    package init(_ kind: Kind, of subject: String, version: String, at date: Date, planned: Int) {
        self.kind = kind
        self.subject = subject
        self.version = version
        day = date.formatted(.iso8601.year().month().day())
        self.planned = planned
    }

    /// Adds a row, or replaces the one with its name.
    package mutating func add(_ row: Row) {
        if let place = rows.firstIndex(where: { $0.name == row.name }) {
            rows[place] = row
        } else {
            rows.append(row)
        }
    }

    package func count(_ verdict: Verdict) -> Int { rows.count { $0.verdict == verdict } }
    package var isComplete: Bool { rows.count >= planned }
}

/// A report as lines on a terminal, as Markdown and as a file.
extension CalibrationReport {
    package static func read(_ path: String) throws -> CalibrationReport {
        try JSONDecoder().decode(CalibrationReport.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// Writes the report as JSON, and as Markdown to the file of the same name with the ending `.md`; beside no device and no pipe.
    package func write(_ path: String) throws {
        try OutputFile.write(json, to: path)
        guard OutputFile.isRegular(path) else { return }
        try OutputFile.write(Data(markdown.utf8), to: Self.markdownFile(of: path).path(percentEncoded: false))
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
                let ours = verdict == .agrees ? "the same" : row.text(of: row.ours)
                lines.append(row.tableLine(row.note ?? row.text(of: row.theirs), ours))
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}

extension CalibrationReport.Kind {
    /// The name of the original in texts.
    package var original: String { self == .apns ? "APNs" : "iPhone" }
}

extension CalibrationReport.Verdict {
    fileprivate var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

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
    fileprivate func text(of observation: [String: String]) -> String {
        let aspects = verdict == .differs ? differences.map(\.aspect) : Self.ordered(observation.keys)
        return aspects.map { "\($0) \(observation[$0] ?? "none")" }.joined(separator: ", ")
    }

    fileprivate func tableLine(_ cells: String...) -> String {
        "| \(([name] + cells).map(\.inTable).joined(separator: " | ")) |"
    }
}

extension String {
    /// The text in a cell of a Markdown table, where it is neither the end of the cell nor HTML.
    fileprivate var inTable: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("|", with: "\\|")
    }
}
