package import Foundation

/// The result of comparing Posthorn with the original that it emulates, row by row.
///
/// A report is made to be published: its members have values from closed vocabularies, such as a status, a reason or the name of
/// a callback, and none that names a team, a key, a topic, a token or an address.
package struct CalibrationReport: Codable, Hashable, Sendable {
    /// The original.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case apns, phone
    }

    package enum Verdict: String, Codable, Sendable, CaseIterable {
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
            (self.name, self.note) = (name, note)
            (verdict, theirs, ours) = (.undecided, [:], [:])
        }

        /// The aspects that differ, by name.
        package var differences: [(aspect: String, theirs: String, ours: String)] {
            guard verdict == .differs else { return [] }
            return Set(theirs.keys).union(ours.keys).sorted().compactMap { aspect in
                let pair = (theirs[aspect] ?? "none", ours[aspect] ?? "none")
                return pair.0 == pair.1 ? nil : (aspect, pair.0, pair.1)
            }
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
        if let place = rows.firstIndex(where: { $0.name == row.name }) { rows[place] = row } else { rows.append(row) }
    }

    package func count(_ verdict: Verdict) -> Int { rows.count { $0.verdict == verdict } }
    package var isComplete: Bool { rows.count >= planned }
}
