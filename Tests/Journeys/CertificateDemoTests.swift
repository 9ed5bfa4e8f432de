import APNSProvider
import Foundation
import Logging
import PosthornStack
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

@Suite("The three that must agree", .suiteLimit)
struct CertificateDemoTests {
    @Test("Two of eight ways are shown, and each of the others is refused for its reason")
    func all() async throws {
        try await withTemporaryFolder { folder in
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let told = Mutex<[CertificateDemo.Attempt]>([])
            let report = try await CertificateDemo.run(folder: folder.path(percentEncoded: false), logger: logger) {
                result in told.withLock { $0.append(result.attempt) }
            }
            let results = report.results
            let repair = report.repair
            #expect(repair.before.filter { $0.state == .wrong }.map(\.check) == ["environment"])
            #expect(repair.after.allSatisfy { $0.state == .ok } && repair.after.count == repair.before.count)
            #expect(repair.result.isShown && repair.result.attempt.agrees && !repair.broken.agrees)
            #expect(results.map(\.attempt) == CertificateDemo.Attempt.all && results.count == 8)
            #expect(told.withLock { $0 } == results.map(\.attempt))
            for result in results {
                let attempt = result.attempt
                #expect(result.isShown == attempt.agrees, "\(attempt)")
                let expected: APNSOutcome =
                    if attempt.certificate != attempt.pushedTo {
                        .refused(status: 403, .badCertificateEnvironment, timestamp: nil)
                    } else if attempt.build != attempt.pushedTo {
                        .refused(status: 400, .badDeviceToken, timestamp: nil)
                    } else {
                        .accepted
                    }
                #expect(result.outcome == expected, "\(attempt)")
            }
        }
    }
}
