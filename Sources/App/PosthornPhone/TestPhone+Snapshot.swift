public import Foundation
public import PushDevice

/// The screen and the notification centre of a phone, and its apps' settings: a value to compare and to keep.
///
/// Its ``description`` is JSON, one member a line, in which the ids and dates of a run are the same each time.
public struct PhoneSnapshot: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The state of the phone.
    public var state: PhoneState

    /// Creates a snapshot of a state.
    public init(_ state: PhoneState) { self.state = state }

    /// Reads a snapshot that was kept.
    ///
    /// - Parameter text: the ``description`` of the snapshot.
    /// - Throws: an error if the text is none.
    public init(parsing text: String) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        state = try decoder.decode(PhoneState.self, from: Data(text.utf8))
    }

    public init(from decoder: any Decoder) throws { state = try PhoneState(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try state.encode(to: encoder) }

    /// The snapshot as JSON with sorted members, one a line.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        do {
            return String(decoding: try encoder.encode(state), as: UTF8.self)
        } catch {
            return "\(state) (\(error))"
        }
    }

    /// Compares this snapshot with an earlier one.
    ///
    /// - Parameter earlier: the snapshot that was expected.
    /// - Returns: the lines that differ, `-` before those of the earlier one and `+` before those of this; empty if there are none.
    public func difference(from earlier: PhoneSnapshot) -> String {
        LineDifference.text(of: description, from: earlier.description)
    }
}

extension TestPhone {
    /// Returns the phone's screen, notification centre and settings at this moment.
    public func snapshot() -> PhoneSnapshot { PhoneSnapshot(device.phoneState) }

    /// Compares the phone with a snapshot that is kept beside the test, and fails the test with the lines that differ.
    ///
    /// The file is `Snapshots/NAME.json` in the folder of the test's source. If it does not exist, or the variable
    /// `POSTHORN_RECORD` of the environment is `1`, it is written: the first time the test fails and says so, so that nobody takes a
    /// snapshot that was never looked at for a proof.
    ///
    /// - Parameters:
    ///   - name: the name of the snapshot, different for each one in the folder.
    ///   - folder: the folder of the snapshots; nil for `Snapshots` beside the test's source.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: whether the phone is as in the snapshot.
    @discardableResult
    public func expectSnapshot(
        named name: String,
        in folder: URL? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        let found = snapshot()
        let kept = KeptText(name: name, ending: "json", folder: folder, location: location) { reason in
            self.fail(reason, at: location)
        }
        return kept.expect("\(found)\n", of: "The phone") { text in
            found.difference(from: try PhoneSnapshot(parsing: text))
        }
    }
}

extension TestPhone {
    /// All events on the phone, one per line, and the journey of each notification with its verdict: for the comment of an
    /// expectation.
    public var story: String {
        let stories = journeys.subjects.map { "\($0.id)\n\(journeys.story(of: $0.id))" }
        return (["", "What happened on \(device.name):", run, "Journeys:"] + stories).joined(separator: "\n")
    }

    /// The run of the phone: its last events, each with the phone's state after it.
    public var runFile: RunFile { recorder.run }

    /// Writes the ``story`` to a file, for inspecting a test that failed on another machine.
    ///
    /// A file that ends in `.json` gets the ``runFile`` instead, through which the portal steps (*Replay a run*).
    ///
    /// - Throws: an error if the file cannot be written.
    public func writeStory(to url: URL) throws {
        try (url.pathExtension == "json" ? runFile.data : Data(story.utf8)).write(to: url)
    }
}
