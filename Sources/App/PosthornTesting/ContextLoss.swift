import Foundation
import SystemPort

/// Records a failure in the test library that runs the tests.
public protocol TestIssueRecorder: AnyObject, SendableMetatype {
    /// Records the reason, as a failure of the running test; outside of a test as one of the run.
    static func record(_ reason: String)
}

/// The outcome when code that has lost its phone asks for one, and several run in the process.
enum ContextLoss {
    /// Reports each loss as a failure, if Swift Testing runs the tests; otherwise the process ends, as without the kit.
    static func report() {
        guard isSwiftTesting, let recorder else { return }
        CurrentPort.reportLosses { reason in
            recorder.record(reason)
            return true
        }
    }

    /// The recorder of the module PosthornTestIssues, which the package's product has beside this one.
    private static let recorder = NSClassFromString("PosthornTestIssues.IssueRecorder") as? any TestIssueRecorder.Type

    /// SwiftPM and Xcode name the library that they run the tests with.
    private static let isSwiftTesting = CommandLine.arguments.contains("swift-testing")
}
