import AppleDeveloper
import Foundation

/// The page with the results of all calibrations, which is made from the reports in the folder beside it.
package struct CalibrationLedger {
    private let page: URL
    private let folder: URL

    /// The lines between which the page is made; the others are written by hand.
    private static let marks = (begin: "<!-- made by 'posthorn calibrate merge' -->", end: "<!-- end -->")
    private static let decisions = "decisions.json"

    /// Opens a page by its path. Its reports are in the folder of the same name without `.md`.
    package init(page: String) {
        self.page = URL(filePath: page)
        folder = self.page.deletingPathExtension()
    }

    /// Copies a report into the folder, under a name made from its kind, day and subject.
    ///
    /// - Returns: the name. A second report of the same day and subject replaces the first.
    /// - Throws: if the report has words that no report has, or cannot be written.
    package func add(_ report: CalibrationReport) throws -> String {
        try CalibrationVocabulary.check(report)
        let subject = report.subject.lowercased().map {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-"
        }
        let name = "\(report.kind.rawValue)-\(report.day)-\(String(subject)).json"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try OutputFile.write(report.json, to: folder.appending(path: name).path(percentEncoded: false))
        return name
    }

    /// Makes the page's tables from the reports in the folder.
    ///
    /// - Throws: ``Problem`` if the page lacks the lines between which they belong.
    package func writePage() throws {
        let text = try String(contentsOf: page, encoding: .utf8)
        guard let begin = text.range(of: Self.marks.begin), let end = text.range(of: Self.marks.end) else {
            throw Problem(description: "'\(page.path)' lacks the lines '\(Self.marks.begin)' and '\(Self.marks.end)'.")
        }
        let tables = try Self.text(of: reports(), decisions: decided())
        let new = text[..<begin.upperBound] + "\n\n" + tables + "\n" + text[end.lowerBound...]
        try OutputFile.write(Data(new.utf8), to: page.path(percentEncoded: false))
    }

    package struct Problem: Error, CustomStringConvertible {
        package var description: String
    }

    private func reports() throws -> [CalibrationReport] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
        return try names.filter { $0.hasSuffix(".json") && $0 != Self.decisions }.sorted()
            .map { name in
                do { return try CalibrationReport.read(folder.appending(path: name).path) } catch {
                    throw Problem(description: "'\(name)' is not a report: \(error)")
                }
            }
    }

    /// The decisions about differences, by the names of their rows.
    private func decided() throws -> [String: String] {
        let file = folder.appending(path: Self.decisions)
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    }

    /// Returns a section for each kind, with a table of its reports and one of the differences.
    package static func text(of reports: [CalibrationReport], decisions: [String: String]) -> String {
        var lines: [String] = []
        for kind in CalibrationReport.Kind.allCases {
            lines += ["### \(kind.plural)", ""]
            let own = reports.filter { $0.kind == kind }
            guard !own.isEmpty else {
                lines += ["Nobody has sent a report yet.", ""]
                continue
            }
            lines += ["| compared with | day | Posthorn | rows | agree | differ | not decided |"]
            lines += ["| --- | --- | --- | --- | --- | --- | --- |"]
            for report in own {
                let counts = CalibrationReport.Verdict.allCases.map { "\(report.count($0))" }.joined(separator: " | ")
                lines.append(
                    "| \(report.subject) | \(report.day) | \(report.version) | \(report.rows.count) of \(report.planned) | \(counts) |"
                )
            }
            lines.append("")
            guard own.contains(where: { $0.count(.differs) > 0 }) else { continue }
            lines += [
                "| difference | seen | \(kind.original) | Posthorn | decision |", "| --- | --- | --- | --- | --- |",
            ]
            for report in own {
                for row in report.rows where row.verdict == .differs {
                    let seen = "\(report.day), \(report.subject)"
                    let texts = [row.text(of: row.theirs), row.text(of: row.ours)]
                    lines.append(row.tableLine(seen, texts[0], texts[1], decisions[row.name] ?? "open"))
                }
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}
