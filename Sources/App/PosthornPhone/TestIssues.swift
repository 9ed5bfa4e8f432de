import Foundation
import SystemPort

/// A place in the source of a test.
public struct TestLocation: Hashable, Sendable {
    /// The module and the file, as `#fileID`.
    public var fileID: String
    /// The path of the file, as `#filePath`.
    public var filePath: String
    /// The line.
    public var line: Int
    /// The column.
    public var column: Int

    /// Creates a location from the values of the literals of that name.
    public init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}

/// Records a failure in the test library that runs the tests.
public protocol TestIssueRecorder: AnyObject, SendableMetatype {
    /// Records the reason, as a failure of the running test; outside of a test as one of the run.
    ///
    /// - Parameters:
    ///   - reason: the text of the failure.
    ///   - location: the line of the test that it is shown at; nil if it is not known.
    static func record(_ reason: String, at location: TestLocation?)
}

/// The failures that the kit finds by itself.
package enum TestIssues {
    /// Records a failure. In a program that runs no tests it has no effect.
    package static func record(_ reason: String, at location: TestLocation?) {
        if let recorder { return recorder.record(reason, at: location) }
        if isInTests { end(for: reason) }
    }

    /// Ends the process of tests whose library cannot be told of a failure: the test would pass.
    static func end(for reason: String) -> Never {
        fatalError(
            """
            \(reason)
            This cannot be recorded as a failure. A target of XCTest needs the product PosthornXCTest, one of Swift Testing \
            PosthornTesting; import it in a file of the tests.
            """
        )
    }

    private static let isSwiftTesting = CommandLine.arguments.contains("swift-testing")

    /// Whether this process runs tests: a bundle of tests links XCTest.
    private static let isInTests = isSwiftTesting || NSClassFromString("XCTest.XCTestCase") != nil

    /// Reports code that has lost its phone, while several run in the process, as a failure. Without a test library the process ends,
    /// as without the kit.
    static func reportLosses() {
        guard let recorder else { return }
        CurrentPort.reportLosses { reason in
            recorder.record(reason, at: nil)
            return true
        }
    }

    /// The recorder of the library that runs the tests. It is found by its name: this module links neither of the two.
    private static let recorder: (any TestIssueRecorder.Type)? = {
        // SwiftPM and Xcode name the library that they run the tests with; without a name it is XCTest, in a bundle of tests.
        let name = isSwiftTesting ? "PosthornTesting.IssueRecorder" : "PosthornXCTest.FailureRecorder"
        return NSClassFromString(name) as? any TestIssueRecorder.Type
    }()
}
