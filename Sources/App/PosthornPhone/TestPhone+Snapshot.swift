public import Foundation
public import PushDevice
import PushModel

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
        let (old, new) = (earlier.description.lines, description.lines)
        let changes = new.difference(from: old)
        let removed = Set(changes.removals.map(\.place)), inserted = Set(changes.insertions.map(\.place))
        var text: [String] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                text.append("- \(old[left])")
                left += 1
            } else if right < new.count, inserted.contains(right) {
                text.append("+ \(new[right])")
                right += 1
            } else {
                left += 1
                right += 1
            }
        }
        return text.joined(separator: "\n")
    }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

extension CollectionDifference.Change {
    fileprivate var place: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
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
        let folder = folder ?? URL(filePath: filePath).deletingLastPathComponent().appending(path: "Snapshots")
        let file = folder.appending(path: "\(PhoneWatch.fileName(name)).json")
        let isRecording = ProcessInfo.processInfo.environment["POSTHORN_RECORD"] == "1"
        let found = snapshot()
        do {
            guard !isRecording, let text = try? String(contentsOf: file, encoding: .utf8) else {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data("\(found)\n".utf8).write(to: file)
                if isRecording { return true }
                fail(
                    "There was no snapshot '\(name)'. It is now in \(file.path): look at it and keep it.",
                    at: location
                )
                return false
            }
            let difference = found.difference(from: try PhoneSnapshot(parsing: text))
            if difference.isEmpty { return true }
            fail("The phone differs from the snapshot '\(name)' in \(file.path):\n\(difference)", at: location)
        } catch {
            fail("The snapshot '\(name)' in \(file.path) cannot be read or written: \(error)", at: location)
        }
        return false
    }
}
