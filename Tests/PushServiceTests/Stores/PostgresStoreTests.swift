import Foundation
import PostgresClient
import PostgresTestSupport
import PushModel
import PushService
import TestSupport
import Testing

@testable import PushStorePostgres

@Suite("PostgreSQL store", .suiteLimit)
struct PostgresStoreTests {
    @Test("Keeps the contract of stores", arguments: PushStoreContract.clauses)
    func contract(_ clause: PushStoreContract.Clause) async throws {
        try await PostgresDatabase.with { pool in try await clause.check { PostgresStore(pool) } }
    }

    @Test("Keeps the contract if each opening is another node's", arguments: PushStoreContract.clauses)
    func contractOfNodes(_ clause: PushStoreContract.Clause) async throws {
        try await PostgresDatabase.with { pool in
            var node: Int16 = 0
            try await clause.check {
                node += 1
                return PostgresStore(pool, node: node)
            }
        }
    }

    @Test("A caller may send its next push as soon as it has its answer, whatever the answer is")
    func roomForTheNext() async throws {
        try await PostgresDatabase.with { pool in
            let accepts = AcceptCommit(pool, node: 1, callbacks: LocalWorkSignal(), mostCallers: 1)
            let (answers, answer) = AsyncStream<String>.makeStream()
            /// Accepts pushes, each of which comes while the answer to the one before is given.
            @Sendable func accept(_ ids: ArraySlice<Int64>) {
                guard let id = ids.first else { return answer.finish() }
                let message = Message(
                    id: MessageID(id),
                    app: 1,
                    acceptedAt: Date(timeIntervalSince1970: 1_800_000_000),
                    body: [],
                    environment: .production,
                    timeToLive: 60,
                    sendno: 1,
                    cid: nil
                )
                let push = PreparedPush(message: message, chunks: [], isPaced: false)
                WriteBackpressure.$mayBeRefused.withValue(true) {
                    accepts.add(AcceptRequest(pushes: [push], cidsSince: message.acceptedAt)) { result in
                        switch result {
                        case .success: answer.yield("stored")
                        case .failure(StoreError.busy): answer.yield("busy")
                        case .failure: answer.yield("failed")
                        }
                        accept(ids.dropFirst())
                    }
                }
            }
            // The second has the id of the first.
            accept([1, 1, 2])
            #expect(await answers.reduce(into: []) { $0.append($1) } == ["stored", "failed", "stored"])
        }
    }

    @Test("Migrates once, and refuses a database of a newer version")
    func migrates() async throws {
        try await PostgresDatabase.with { pool in
            let store = PostgresStore(pool)
            try await store.migrate()
            let rows = try await pool.run { try $0.execute("SELECT count(*) FROM schemaMigration").first?.int(0) }
            #expect(rows == Schema.migrations.count)
            _ = try await pool.run {
                try $0.execute("INSERT INTO schemaMigration (version, name) VALUES (9999, 'of the future')").affected
            }
            await #expect(throws: NewerSchema.self) { try await store.migrate() }
        }
    }

    @Test(
        "A database in another encoding than UTF-8 is refused before anything is written",
        arguments: ["LATIN1", "SQL_ASCII"]
    )
    func otherEncoding(_ encoding: String) async throws {
        let server = try PostgresServer.shared.get()
        let name = "in_\(encoding.lowercased())"
        let admin = try PostgresDatabase.pool(server.url())
        try await admin.run {
            try $0.executeScript("CREATE DATABASE \(name) ENCODING '\(encoding)' LOCALE 'C' TEMPLATE template0")
        }
        await admin.close()
        let pool = try PostgresDatabase.pool(server.url(name))
        let error = await #expect(throws: UnsuitableDatabase.self) { try await PostgresStore(pool).migrate() }
        #expect(error?.description.contains("The database \(name) has the encoding \(encoding)") == true)
        #expect(error?.description.contains("ENCODING 'UTF8'") == true)
        let tables = try await pool.run {
            try $0.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").first?.int(0)
        }
        #expect(tables == 0)
        await pool.close()
    }

    @Test(
        "A role that may not create tables is told what to grant, which is enough; it may use tables that are complete"
    )
    func missingPrivilege() async throws {
        let server = try PostgresServer.shared.get()
        let url = try await server.makeDatabase()
        let owner = try PostgresDatabase.pool(url)
        try await owner.run { try $0.executeScript("CREATE ROLE \"push service\" LOGIN") }
        let role = url.replacing("user=posthorn", with: "user=push%20service")
        let pool = try PostgresDatabase.pool(role)
        let store = PostgresStore(pool)
        let error = await #expect(throws: UnsuitableDatabase.self) { try await store.migrate() }
        let grant = "GRANT USAGE, CREATE ON SCHEMA public TO \"push service\";"
        #expect(error?.description.contains(grant) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("The role \"push service\" may not create tables") == true)
        try await owner.run { try $0.executeScript(grant) }
        try await store.migrate()
        try await owner.run { try $0.executeScript("REVOKE CREATE ON SCHEMA public FROM \"push service\"") }
        try await store.migrate()
        #expect(try await store.apps().isEmpty)
        await pool.close()
        await owner.close()
    }

    @Test("A database of a version before 0.1.0 is refused, with what to do")
    func olderVersion() async throws {
        let pool = try PostgresDatabase.pool(try await PostgresServer.shared.get().makeDatabase())
        _ = try await pool.run { connection in
            try connection.executeScript(
                """
                CREATE TABLE schemaMigration (version bigint PRIMARY KEY, name text NOT NULL);
                INSERT INTO schemaMigration VALUES (1, '1 settings'), (2, '2 apps')
                """
            )
        }
        let store = PostgresStore(pool)
        let error = await #expect(throws: OlderSchema.self) { try await store.migrate() }
        #expect(error?.description.contains("before 0.1.0") == true)
        #expect(error?.description.contains("Give an empty database") == true)
        await store.close()
    }
}
