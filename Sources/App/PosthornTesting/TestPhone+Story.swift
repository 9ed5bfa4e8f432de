public import Foundation
import PushDevice

extension TestPhone {
    /// What happened on the phone, a line each, and the journey of each notification with its verdict: for the comment of
    /// an expectation.
    public var story: String {
        let told = journeys.subjects.map { "\($0.id)\n\(journeys.story(of: $0.id))" }
        return (["", "What happened on \(device.name):", run, "Journeys:"] + told).joined(separator: "\n")
    }

    /// Writes the ``story`` to a file, for a look at a test that failed elsewhere.
    ///
    /// - Throws: when the file cannot be written.
    public func writeStory(to url: URL) throws {
        try Data(story.utf8).write(to: url)
    }
}
