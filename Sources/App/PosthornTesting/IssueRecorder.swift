@_exported public import PosthornPhone
import Testing

/// Records a failure of the kit as an issue of Swift Testing: the running test fails with the reason.
///
/// `PosthornPhone` finds it by its name, so that programs that use the phone outside of tests do not link Swift Testing.
public final class IssueRecorder: TestIssueRecorder {
    public static func record(_ reason: String, at location: TestLocation?) {
        let comment = Comment(rawValue: reason)
        guard let location else { return _ = Issue.record(comment) }
        let source = SourceLocation(
            fileID: location.fileID,
            filePath: location.filePath,
            line: location.line,
            column: location.column
        )
        Issue.record(comment, sourceLocation: source)
    }
}
