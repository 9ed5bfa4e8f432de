import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Readiness", .suiteLimit)
struct ReadinessTests {
    /// A store that counts its writes, and refuses them on request.
    private final class Disk: KeyValueStore, CredentialEnvironments {
        /// The environments for which some app has a credential.
        let used: Set<APNSEnvironment>
        let writes = Recorder<String>()
        let trouble = Recorder<StoreError>()

        let paused: [PauseCount]

        init(used: Set<APNSEnvironment> = [], paused: [PauseCount] = []) {
            self.used = used
            self.paused = paused
        }

        func credentialEnvironments() async throws -> Set<APNSEnvironment> { used }
        func pauseCounts() async throws -> [PauseCount] { paused }
        func value(_ key: String) async throws -> [UInt8]? { nil }
        func setValue(_ value: [UInt8], for key: String) async throws {
            writes.add(key)
            if let trouble = trouble.elements.last { throw trouble }
        }
        func setDefault(_ value: [UInt8], for key: String) async throws -> [UInt8] { value }
    }

    private struct Network: APNSReachability {
        var unreachable: Set<APNSEnvironment> = []

        func problem(of environment: APNSEnvironment) async -> String? {
            unreachable.contains(environment) ? "cannot be reached" : nil
        }
    }

    @Test("Requests of ten seconds share one check, and so do requests at the same time")
    func shared() async throws {
        let disk = Disk()
        let clock = VirtualClock()
        let readiness = Readiness(store: disk, apns: Network(), clock: clock)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { #expect(await readiness.report().isReady) } }
        }
        #expect(disk.writes.elements.count == 1)
        disk.trouble.add(.noRoom)
        await clock.advance(by: .seconds(9))
        #expect(await readiness.report().isReady)
        await clock.advance(by: .seconds(1))
        let report = await readiness.report()
        #expect(!report.isReady)
        #expect(report.store == StoreError.noRoom.description)
        #expect(disk.writes.elements.count == 2)
    }

    @Test("Only environments that some app can push to count; all while there is none")
    func unused() async throws {
        func report(
            _ used: Set<APNSEnvironment>,
            among environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases)
        ) async -> Readiness.Report {
            let network = Network(unreachable: [.development])
            let readiness = Readiness(
                store: Disk(used: used),
                apns: network,
                environments: environments,
                clock: VirtualClock()
            )
            return await readiness.report()
        }
        #expect(await !report([]).isReady)
        #expect(await !report([.development]).isReady)
        #expect(await !report([.development, .production]).isReady)
        let production = await report([.production])
        #expect(production.isReady)
        let apns = production.json.object?["apns"]
        #expect(apns?.object?["development"]?.string == "unused")
        #expect(apns?.object?["production"]?.string == "ok")
        // The gateway has one port only.
        for used: Set<APNSEnvironment> in [[], [.development], [.development, .production]] {
            #expect(await report(used, among: [.production]).isReady)
        }
    }

    @Test("Each environment is named", arguments: APNSEnvironment.allCases)
    func environments(_ environment: APNSEnvironment) async throws {
        let readiness = Readiness(store: Disk(), apns: Network(unreachable: [environment]), clock: VirtualClock())
        let report = await readiness.report()
        #expect(!report.isReady)
        #expect(report.apns == [environment: "cannot be reached"])
        let json = report.json.object?["apns"]?.object
        for each in APNSEnvironment.allCases {
            #expect(json?[each.rawValue]?.string == (each == environment ? "cannot be reached" : "ok"))
        }
    }

    @Test("Anyone gets no words of the database's client, which name its server; operators do")
    func strangers() async throws {
        let disk = Disk()
        let clock = VirtualClock()
        let readiness = Readiness(store: disk, apns: Network(), clock: clock)
        let words = "connection to server at \"db.internal\" (10.1.2.3), port 5432 failed"
        for error in [StoreError.unavailable(words), .unknownOutcome(words)] {
            disk.trouble.add(error)
            await clock.advance(by: .seconds(10))
            let report = await readiness.report()
            #expect(report.store == error.description && error.description.contains(words))
            #expect(!report.isReady && report.json.object?["store"]?.string == error.publicDescription)
            for secret in ["db.internal", "10.1.2.3", "5432"] {
                #expect(!report.json.text.contains(secret) && !error.publicDescription.contains(secret))
            }
        }
        for error in [StoreError.busy, .noRoom, .readOnly, .diskFailed("x"), .fileGone("x"), .duplicate("x")] {
            #expect(error.publicDescription == error.description)
        }
    }
}
