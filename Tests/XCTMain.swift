import Testing
import XCTest

@testable import PushDeviceTests

/// The entry of the tests. SwiftPM would write it, and find the cases of XCTest in the index store, which the scripts' builds leave out.
@main
struct Runner {
    static func main() async {
        if CommandLine.arguments.contains("--testing-library") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain([testCase([("testTap", asyncTest(FailingPhoneCase.testTap))])])
    }
}
