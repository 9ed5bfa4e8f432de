import Foundation
@_exported public import PosthornPhone
import Synchronization
public import XCTest

/// An XCTest case whose failures come with what happened on its phones.
///
/// After a test that failed, the story of each phone that it created is printed, and the stories and run files are written to a folder
/// that the output names: `POSTHORN_STORIES` of the environment, or a folder of its own in the temporary directory. XCTest on Linux
/// has no attachments.
open class PhoneTestCase: XCTestCase {
    private let watch = PhoneWatch()

    private static let current = Mutex<Weak?>(nil)

    /// `@unchecked Sendable`: XCTest's class is not Sendable. The mutex guards the reference, and the only method that is called
    /// through it, `recordFailure`, may be called on any thread.
    private struct Weak: @unchecked Sendable {
        weak var test: PhoneTestCase?
    }

    static var running: PhoneTestCase? { current.withLock { $0?.test } }

    open override func setUp() async throws {
        try await super.setUp()
        watch.watchProcess(true)
        Self.current.withLock { $0 = Weak(test: self) }
    }

    open override func tearDown() async throws {
        watch.watchProcess(false)
        Self.current.withLock { $0 = nil }
        defer { watch.end() }
        if let run = testRun, run.totalFailureCount > 0, !watch.phones.isEmpty { report() }
        try await super.tearDown()
    }

    /// The folder of the stories and the run files.
    open var storyFolder: URL {
        let named = ProcessInfo.processInfo.environment["POSTHORN_STORIES"] ?? ""
        guard named.isEmpty else { return URL(filePath: named) }
        return FileManager.default.temporaryDirectory.appending(path: "posthorn-stories")
    }

    private func report() {
        print(watch.story)
        do {
            let files = try watch.write(to: storyFolder, as: name)
            print("The stories and run files of \(name): \(files.map(\.path).joined(separator: ", "))")
        } catch {
            print("The story of \(name) cannot be written to \(storyFolder.path): \(error)")
        }
    }
}

/// Records a failure of the kit as a failure of the running XCTest case.
///
/// `PosthornPhone` finds it by its name.
public final class FailureRecorder: TestIssueRecorder {
    public static func record(_ reason: String, at location: TestLocation?) {
        guard let location, let test = PhoneTestCase.running else { return XCTFail(reason) }
        test.recordFailure(withDescription: reason, inFile: location.filePath, atLine: location.line, expected: true)
    }
}
