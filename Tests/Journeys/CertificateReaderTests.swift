import Dispatch
import Foundation
import PosthornStack
import PushService
import Synchronization
import TestSupport
import Testing

@Suite("Certificates that are uploaded are read one at a time", .suiteLimit)
struct CertificateReaderTests {
    /// Reading that takes until it is let go on.
    private final class Slow: Sendable {
        let gate = DispatchSemaphore(value: 0)
        let outcomes = Mutex<[String]>([])
        let reading = Mutex((now: 0, most: 0, all: 0))

        func read() -> Result<InspectedFile, UnusableCertificate> {
            reading.withLock { reading in
                reading.now += 1
                reading.all += 1
                reading.most = max(reading.most, reading.now)
            }
            gate.wait()
            reading.withLock { $0.now -= 1 }
            return .failure(UnusableCertificate("read"))
        }
    }

    @Test("So many wait that answers go on meanwhile; one more is sent away, and is read later")
    func waiting() async throws {
        let slow = Slow()
        let reader = CertificateReader { _, _ in slow.read() }
        // More than there are threads for tasks: this test would stand still if they waited on those.
        @Sendable func upload() async {
            do { _ = try await reader.inspect([], passPhrase: "") } catch {
                slow.outcomes.withLock { $0.append(error is TooManyUploads ? "later" : "\(error)") }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<CertificateReader.waitingLimit + 3 { group.addTask { await upload() } }
            // Also when that does not happen: the group waits for all of them.
            defer { for _ in 0..<CertificateReader.waitingLimit + 3 { slow.gate.signal() } }
            try await eventually("those beyond the limit are sent away, and one is read") {
                slow.outcomes.withLock { $0 == ["later", "later", "later"] } && slow.reading.withLock { $0.now == 1 }
            }
        }
        #expect(slow.outcomes.withLock { $0.filter { $0 == "read" }.count } == CertificateReader.waitingLimit)
        #expect(slow.reading.withLock { $0.most } == 1)
        await upload()
        #expect(slow.outcomes.withLock(\.last) == "read", "There is room again.")
    }
}
