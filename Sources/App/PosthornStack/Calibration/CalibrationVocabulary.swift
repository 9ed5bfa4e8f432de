import Foundation
import PushModel

/// The words that a report may have.
///
/// Anybody can send a report, and the ledger's page shows what it says. So each member is one of the words that
/// `posthorn calibrate` writes, or has their form, none of which is markup, an address or a path.
struct CalibrationVocabulary {
    /// The largest report, in bytes, and the most rows: several times what a table has.
    static let mostBytes = 1 << 20
    static let mostRows = 2000

    /// The flaw of a report.
    struct Problem: Error, CustomStringConvertible, LocalizedError {
        var description: String
        var errorDescription: String? { description }

        init(_ description: String) { self.description = description }

        init(_ member: String, found: String, expected: String) {
            description = "'\(member)' is '\(String(found.prefix(80)).printed)'; expected \(expected)."
        }
    }

    private let kind: CalibrationReport.Kind

    /// Checks a report.
    ///
    /// - Throws: ``Problem`` for the first member that `posthorn calibrate` does not write.
    static func check(_ report: CalibrationReport) throws(Problem) {
        let vocabulary = Self(kind: report.kind)
        guard report.version.fits(#/[0-9]{1,4}(\.[0-9]{1,4}){1,3}(-[0-9A-Za-z]{1,16})?( \(debug build\))?/#) else {
            throw Problem("version", found: report.version, expected: "a version such as 0.2.0")
        }
        guard isDay(report.day) else { throw Problem("day", found: report.day, expected: "a day such as 2026-11-27") }
        try vocabulary.check(subject: report.subject)
        guard (0...mostRows).contains(report.planned), report.rows.count <= mostRows else {
            throw Problem("It has \(report.rows.count) rows of \(report.planned); expected at most \(mostRows).")
        }
        var names: Set<String> = []
        for row in report.rows {
            guard names.insert(row.name).inserted else {
                throw Problem("name", found: row.name, expected: "each row once")
            }
            try vocabulary.check(row)
        }
    }

    private static func isDay(_ text: String) -> Bool {
        guard text.fits(#/20[0-9]{2}-[01][0-9]-[0-3][0-9]/#) else { return false }
        return (try? Date(text + "T00:00:00Z", strategy: .iso8601))?.formatted(.iso8601.year().month().day()) == text
    }

    private func check(subject: String) throws(Problem) {
        switch kind {
        case .apns:
            guard subject.fits(#/(another host, )?(development|production), with a (key|certificate)/#) else {
                throw Problem("subject", found: subject, expected: "such as 'development, with a key'")
            }
        case .phone:
            guard subject.fits(#/iOS [0-9]{1,3}(\.[0-9]{1,3}){0,2}/#) else {
                throw Problem("subject", found: subject, expected: "such as 'iOS 26.1'")
            }
        }
    }

    private func check(_ row: CalibrationReport.Row) throws(Problem) {
        guard isName(row.name) else {
            throw Problem("name", found: row.name, expected: "a row of the table of this version")
        }
        for (side, observation) in [("theirs", row.theirs), ("ours", row.ours)] {
            for (aspect, value) in observation where !isValue(value, of: aspect) {
                throw Problem("\(side).\(aspect)", found: value, expected: "a value that 'posthorn calibrate' writes")
            }
        }
        guard row.note.map(Self.isNote) ?? true else {
            throw Problem("note", found: row.note ?? "", expected: "a cause that 'posthorn calibrate' writes")
        }
        let verdict: CalibrationReport.Verdict =
            row.note != nil ? .undecided : row.theirs == row.ours ? .agrees : .differs
        guard row.verdict == verdict, row.note == nil || row.theirs.isEmpty && row.ours.isEmpty else {
            throw Problem("verdict", found: row.verdict.rawValue, expected: "what 'theirs' and 'ours' say")
        }
    }

    private func isName(_ name: String) -> Bool {
        switch kind {
        case .apns: Self.rows.contains(name)
        case .phone: name.fits(#/[A-Z][0-9]{1,3}[A-Z]?(-[A-Za-z0-9]{1,12}){0,4} [a-zA-Z]{1,20}/#)
        }
    }

    private static let rows = Set(APNSCalibrationRow.all.map(\.name))

    private func isValue(_ value: String, of aspect: String) -> Bool {
        switch kind {
        case .apns: APNSObservation.Aspect(rawValue: aspect).map { Self.isValue(value, of: $0) } ?? false
        case .phone:
            switch aspect {
            case "callbacks": value == "none" || Self.areCalls(value)
            case "launch options": Self.launches.contains(value)
            default: false
            }
        }
    }

    /// The values of ``APNSObservation``.
    private static func isValue(_ value: String, of aspect: APNSObservation.Aspect) -> Bool {
        switch aspect {
        case .status:
            value.fits(#/[1-5][0-9]{2}|none|refused|reset, [A-Z][A-Z0-9_]{1,40}|reset, error code [0-9]{1,10}/#)
        case .reason: APNSObservation.isReason(value) || value == "other text"
        case .timestamp: ["number", "no number"].contains(value)
        case .body: ["empty", "other", "JSON"].contains(value)
        case .connection:
            value.fits(
                #/open|closed|GOAWAY ([A-Z][A-Z0-9_]{1,40}|error code [0-9]{1,10})( [A-Za-z]{1,40}| other text)?/#
            )
        case .settings:
            value.fits(
                #/header list ([0-9]{1,10}|unlimited), frame [0-9]{1,10}, header table [0-9]{1,10}, window -?[0-9]{1,10}/#
            )
        case .id:
            [
                "none", "echoed", "echoed in another case", "no UUID", "new", "new, lower case", "new, upper case",
            ].contains(value)
        case .uniqueID: ["UUID", "no UUID"].contains(value)
        case .contentType: ["application/json", "other"].contains(value)
        case .fields: value.components(separatedBy: ", ").allSatisfy(APNSObservation.isField)
        case .firstStreams, .streams: value.fits(#/[0-9]{1,10}|unlimited/#)
        }
    }

    private static func areCalls(_ text: String) -> Bool {
        text.utf8.count <= 4000 && text.components(separatedBy: " > ").allSatisfy(isCall)
    }

    /// Whether a text is a callback in the notation of the matrix: the method, the app's state, and what the user chose.
    private static func isCall(_ text: String) -> Bool {
        text.fits(
            #/
            (another\ method | [A-Za-z]{1,60} \( [A-Za-z_:]{0,100} \))
            (@ (active | inactive | background | another\ state))?
            (\[ (default | dismiss | action-id | action-id\+userText | another\ action
                | notificationResponse | shortcutItem | urlContexts | nothing | another\ cause) \])?
            /#
        )
    }

    /// The values of `MatrixLaunch`.
    private static let launches: Set = [
        "nil", "[.remoteNotification: userInfo]", "[.localNotification: UILocalNotification]",
        "[.shortcutItem: UIApplicationShortcutItem]", "[.url: URL]", "other",
    ]

    private static func isNote(_ text: String) -> Bool {
        text.fits(
            #/
            no\ provider\ token | no\ answer\ in\ time | no\ connection | not\ observed
            | the\ answer\ was\ [0-9]{3}\ ?[A-Za-z\ ]{0,40} | [0-9]{1,4}\ pushes\ were\ accepted\ already
            | not\ tried (:\ needs\ an\ app\ (with\ another\ delegate | without\ permission | without\ the\ background\ mode))?
            /#
        )
    }
}

extension String {
    fileprivate func fits<Output>(_ form: Regex<Output>) -> Bool { wholeMatch(of: form) != nil }
}
