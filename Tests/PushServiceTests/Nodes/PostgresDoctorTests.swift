import PostgresClient
import PushService
import TestSupport
import Testing

@testable import PushStorePostgres

@Suite("Checks of a PostgreSQL server", .suiteLimit)
struct PostgresDoctorTests {
    private static let sound = PostgresFacts(
        version: "15.18",
        versionNumber: 150_018,
        fsync: true,
        fullPageWrites: true,
        synchronousCommit: "on",
        standbys: PostgresFacts.Standbys(names: "standby1", synchronous: 1, all: 1),
        clockDifference: 0.4,
        clockTolerance: 0.1,
        connections: PostgresFacts.Connections(available: 97, others: 0, perNode: 10, nodes: 3),
        schemaVersion: 9,
        knownVersion: 9,
        forbiddenTables: [],
        mayCreate: true,
        encoding: "UTF8",
        isReadable: false
    )

    /// Expects that a change of the facts makes one check fail, with a remedy, and leaves all others alone.
    private func expect(
        _ check: String,
        _ state: Finding.State,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout PostgresFacts) -> Void
    ) {
        var facts = Self.sound
        change(&facts)
        let found = facts.findings.filter { $0.state != .ok }
        #expect(found.map(\.check) == ["postgres.\(check)"], "\(found)", sourceLocation: sourceLocation)
        #expect(found.map(\.state) == [state], "\(found)", sourceLocation: sourceLocation)
        #expect(found.allSatisfy { $0.remedy != nil }, sourceLocation: sourceLocation)
    }

    @Test("A sound server has no finding")
    func sound() {
        let findings = Self.sound.findings
        #expect(findings.allSatisfy { $0.state == .ok && $0.remedy == nil }, "\(findings)")
        #expect(Set(findings.map(\.check)).count == findings.count)
    }

    @Test("Each setting that endangers data is found")
    func durability() {
        expect("durability", .wrong) { $0.fsync = false }
        expect("durability", .wrong) { $0.fullPageWrites = false }
        expect("durability", .wrong) { $0.synchronousCommit = "off" }
        expect("durability", .warning) { $0.synchronousCommit = "local" }
        expect("durability", .warning) { $0.synchronousCommit = "remote_write" }
        expect("standby", .warning) { $0.standbys = PostgresFacts.Standbys(names: "", synchronous: 0, all: 0) }
        expect("standby", .warning) { $0.standbys = PostgresFacts.Standbys(names: "", synchronous: 0, all: 2) }
        expect("standby", .unknown) { $0.standbys.synchronous = nil }
        expect("standby", .wrong) { $0.standbys.synchronous = 0 }
    }

    @Test("Versions, tables, rights and encryption are judged")
    func server() {
        expect("version", .wrong) { ($0.version, $0.versionNumber) = ("14.9", 140_009) }
        expect("version", .wrong) { $0.encoding = "SQL_ASCII" }
        expect("schema", .warning) { $0.schemaVersion = 8 }
        expect("schema", .warning) { $0.schemaVersion = 10 }
        expect("privileges", .wrong) { $0.forbiddenTables = ["device"] }
        expect("privileges", .warning) { $0.mayCreate = false }
        expect("tls", .warning) { $0.isReadable = true }
    }

    @Test("Clocks may differ by two seconds, and by the time that the answer took")
    func clock() {
        expect("clock", .warning) { $0.clockDifference = 3600 }
        expect("clock", .warning) { $0.clockDifference = -30 }
        var slow = Self.sound
        slow.clockDifference = 5
        slow.clockTolerance = 4
        #expect(slow.findings.allSatisfy { $0.state == .ok })
    }

    @Test("The server has connections for all nodes and one more")
    func connections() {
        expect("connections", .warning) { $0.connections.available = 35 }
        expect("connections", .wrong) { $0.connections.available = 29 }
        expect("connections", .wrong) { $0.connections.others = 70 }
    }

    @Test("The size of the database, which grows; nil while the server is away")
    func size() async throws {
        try await PostgresDatabase.with { pool in
            let store = PostgresStore(pool)
            let before = try #require(await PostgresInspector(store).bytes())
            #expect(before > 1_000_000)
            // Random bytes, which PostgreSQL cannot compress.
            let value = (0..<1_000_000).map { _ in UInt8.random(in: 0...255) }
            try await store.setValue(value, for: "a")
            #expect(try #require(await PostgresInspector(store).bytes()) >= before + 1_000_000)
        }
        let nowhere = try PostgresDatabase.pool("postgres:///x?host=/nowhere")
        #expect(await PostgresInspector(PostgresStore(nowhere)).bytes() == nil)
        await nowhere.close()
    }

    @Test("A real server answers the questions, and one that is away is a finding")
    func inspector() async throws {
        try await PostgresDatabase.with { pool in
            let store = PostgresStore(pool)
            let findings = await PostgresInspector(store).findings()
            #expect(findings.count == 8, "\(findings)")
            // The tests' server has no standby.
            #expect(findings.filter { $0.state != .ok }.map(\.check) == ["postgres.standby"], "\(findings)")
        }
        let nowhere = try PostgresDatabase.pool("postgres:///x?host=/nowhere")
        let findings = await PostgresInspector(PostgresStore(nowhere)).findings()
        #expect(findings.map(\.state) == [.wrong], "\(findings)")
        await nowhere.close()
    }
}
