import PosthornPhone
import Synchronization
public import Testing

/// Attaches the story and the run file of each phone to a test that fails.
public struct PhoneStoryTrait: TestTrait, SuiteTrait, TestScoping {
    /// A suite's tests have it too, and so have those of the suites within.
    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> PhoneStoryTrait? {
        // Each case has its own phones; a suite has none.
        testCase == nil ? nil : self
    }

    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let watch = PhoneWatch()
        let hasFailed = Atomic(false)
        let handler = IssueHandlingTrait.compactMapIssues { issue in
            if issue.isFailure { hasFailed.store(true, ordering: .relaxed) }
            return issue
        }
        defer { watch.end() }
        do {
            try await handler.provideScope(for: test, testCase: testCase) {
                try await watch.run { try await function() }
            }
        } catch {
            attach(watch, at: test.sourceLocation)
            throw error
        }
        if hasFailed.load(ordering: .relaxed) { attach(watch, at: test.sourceLocation) }
    }

    private func attach(_ watch: PhoneWatch, at location: SourceLocation) {
        for phone in watch.phones {
            let name = phone.device.name
            Attachment.record(Array(phone.story.utf8), named: "\(name).txt", sourceLocation: location)
            do {
                Attachment.record(Array(try phone.runFile.data), named: "\(name).json", sourceLocation: location)
            } catch {
                Issue.record(error, "The run file of \(name) cannot be written.", sourceLocation: location)
            }
        }
    }
}

extension Trait where Self == PhoneStoryTrait {
    /// Attaches what happened on each phone to a test that fails: `@Test(.phoneStory)`, or `@Suite(.phoneStory)` for all tests of a
    /// suite.
    ///
    /// Each phone that the test has created, in the suite's `init()` too, has two attachments: its story as text, and its run file for
    /// *Replay a run* in the portal, both under the phone's name. `swift test --attachments-path FOLDER` writes them to a folder.
    public static var phoneStory: Self { PhoneStoryTrait() }
}
