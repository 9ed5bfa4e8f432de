public import Foundation
public import PushDevice

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
