public import PosthornTesting
import Testing

/// Records a failure of the kit as an issue of Swift Testing: the running test fails with the reason.
///
/// `PosthornTesting` finds it by its name, so that programs that use the kit outside of tests do not link Swift Testing.
public final class IssueRecorder: TestIssueRecorder {
    public static func record(_ reason: String) { Issue.record(Comment(rawValue: reason)) }
}
