import Foundation

/// A text that is kept in a file beside a test, for comparison with the next one.
package struct KeptText {
    private let name: String
    private let file: URL
    private let fail: (String) -> Void

    /// - Parameters:
    ///   - name: the name of the text, different for each one in the folder.
    ///   - ending: the ending of the file's name.
    ///   - folder: the folder; nil for `Snapshots` beside the test's source.
    ///   - location: the place of the test.
    ///   - fail: records a failure.
    package init(name: String, ending: String, folder: URL?, location: TestLocation, fail: @escaping (String) -> Void) {
        self.name = name
        let beside = URL(filePath: location.filePath).deletingLastPathComponent().appending(path: "Snapshots")
        file = (folder ?? beside).appending(path: "\(PhoneWatch.fileName(name)).\(ending)")
        self.fail = fail
    }

    /// Compares a text with the kept one, and fails the test with the lines that differ.
    ///
    /// If there is no file, or the variable `POSTHORN_RECORD` of the environment is `1`, it is written: the first time the test fails
    /// and says so.
    ///
    /// - Parameters:
    ///   - found: the new text.
    ///   - what: what the text describes, for the message.
    ///   - difference: returns the lines that differ from the kept text; empty if there are none.
    /// - Returns: whether there is no difference.
    package func expect(_ found: String, of what: String, difference: (String) throws -> String) -> Bool {
        let isRecording = ProcessInfo.processInfo.environment["POSTHORN_RECORD"] == "1"
        do {
            guard !isRecording, let text = try? String(contentsOf: file, encoding: .utf8) else {
                let folder = file.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data(found.utf8).write(to: file)
                if isRecording { return true }
                fail("There was no snapshot '\(name)'. It is now in \(file.path): look at it and keep it.")
                return false
            }
            let difference = try difference(text)
            if difference.isEmpty { return true }
            fail("\(what) differs from the snapshot '\(name)' in \(file.path):\n\(difference)")
        } catch {
            fail("The snapshot '\(name)' in \(file.path) cannot be read or written: \(error)")
        }
        return false
    }
}

/// The difference between two texts, by lines.
package enum LineDifference {
    /// Compares two texts.
    ///
    /// - Parameters:
    ///   - text: the new text.
    ///   - earlier: the one that was expected.
    /// - Returns: the lines that differ, `-` before those of the earlier one and `+` before those of the new one.
    package static func text(of text: String, from earlier: String) -> String {
        let old = earlier.lines
        let new = text.lines
        let changes = new.difference(from: old)
        let removed = Set(changes.removals.map(\.place))
        let inserted = Set(changes.insertions.map(\.place))
        var text: [String] = []
        var left = 0
        var right = 0
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
