public import PosthornPhone
import XCTest

/// Records a failure of the kit as a failure of the running XCTest case.
///
/// `PosthornPhone` finds it by its name.
public final class FailureRecorder: TestIssueRecorder {
    public static func record(_ reason: String, at location: TestLocation?) {
        guard let location, let test = PhoneTestCase.running else { return XCTFail(reason) }
        test.recordFailure(withDescription: reason, inFile: location.filePath, atLine: location.line, expected: true)
    }
}
