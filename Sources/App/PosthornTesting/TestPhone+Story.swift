public import Foundation
import PushDevice

extension TestPhone {
    /// All events on the phone, one per line, and the journey of each notification with its verdict: for the comment of an
    /// expectation.
    public var story: String {
        let stories = journeys.subjects.map { "\($0.id)\n\(journeys.story(of: $0.id))" }
        return (["", "What happened on \(device.name):", run, "Journeys:"] + stories).joined(separator: "\n")
    }

    /// Writes the ``story`` to a file, for inspecting a test that failed on another machine.
    ///
    /// - Throws: an error if the file cannot be written.
    public func writeStory(to url: URL) throws {
        try Data(story.utf8).write(to: url)
    }
}
