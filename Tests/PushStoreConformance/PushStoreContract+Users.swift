import Foundation
import PushService
import Testing

extension PushStoreContract {
    private static func user(_ name: String, _ role: Role = .admin, _ password: String = "correct horse") throws -> User
    {
        let cost = PasswordHash.Cost(rounds: 1, blockSize: 1, parallelism: 1)
        return User(name: name, role: role, password: try PasswordHash(of: password, cost: cost), createdAt: start)
    }

    private static func entry(_ action: String, address: String? = nil, isDone: Bool = true) -> AuditEntry {
        AuditEntry(
            at: start,
            actor: Actor(name: "ana", address: address),
            action: action,
            subject: address.map { _ in "an app – 中" },
            detail: address.map { _ in "{\"role\":\"admin\"}" },
            isDone: isDone
        )
    }

    static let users = [
        Clause("Users are kept whole and listed by name; a name is taken once, and its case counts") { open in
            let store = try open()
            let ben = try user("ben", .sender)
            let ana = try user("ana")
            for user in [ben, ana] { _ = try await store.createUser(user, onlyFirst: false) }
            #expect(try await open().users() == [ana, ben])
            #expect(try await open().user("ben") == ben)
            #expect(try await store.user("Ben") == nil)
            await #expect {
                _ = try await store.createUser(try user("ben", .admin), onlyFirst: false)
            } throws: { error in
                if case StoreError.duplicate = error { true } else { false }
            }
            #expect(try await store.user("ben") == ben, "The one with the name stays as it is.")
        },
        Clause("Of several who would be the first user, one is, and nobody after a user, who may be gone") { open in
            let store = try open()
            #expect(try await !store.hasHadUser())
            let candidates = try (0..<6).map { try user("ana\($0)") }
            let created = try await withThrowingTaskGroup(of: Bool.self) { group in
                for candidate in candidates {
                    group.addTask { try await store.createUser(candidate, onlyFirst: true) }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(created == 1)
            let first = try #require(try await open().users().first)
            #expect(try await store.users().count == 1)
            #expect(try await store.createUser(try user("ben"), onlyFirst: false))
            #expect(try await store.removeUser(first.name) == .done)
            #expect(try await !store.createUser(first, onlyFirst: true))
        },
        Clause("A user who was removed was the first one") { open in
            let store = try open()
            _ = try await store.createUser(try user("ben", .viewer), onlyFirst: false)
            #expect(try await store.removeUser("ben") == .done)
            #expect(try await open().hasHadUser())
            #expect(try await !store.createUser(try user("ana"), onlyFirst: true))
        },
        Clause("A user gets another role, another password, or both; what is not given stays") { open in
            let store = try open()
            for user in [try user("ana"), try user("ben", .viewer)] {
                _ = try await store.createUser(user, onlyFirst: false)
            }
            let before = try #require(try await store.user("ben"))
            #expect(try await store.setUser("ben", role: .sender, password: nil) == .done)
            #expect(try await open().user("ben")?.password == before.password)
            let password = try user("ben", .viewer, "another horse").password
            #expect(try await store.setUser("ben", role: nil, password: password) == .done)
            let after = try #require(try await open().user("ben"))
            #expect(after.role == .sender && after.password == password && after.createdAt == start)
            #expect(try await store.setUser("nobody", role: .admin, password: nil) == .notFound)
            #expect(try await store.removeUser("nobody") == .notFound)
            #expect(try await store.removeUser("ben") == .done)
            #expect(try await open().user("ben") == nil)
        },
        Clause("The last administrator keeps the role and stays, even if two go at the same time") { open in
            let store = try open()
            for user in [try user("ana"), try user("ben"), try user("eve", .viewer)] {
                _ = try await store.createUser(user, onlyFirst: false)
            }
            async let first = store.removeUser("ana")
            async let second = store.setUser("ben", role: .viewer, password: nil)
            let outcomes = try await [first, second]
            #expect(Set(outcomes) == [.done, .lastAdministrator])
            #expect(try await store.users().count { $0.role == .admin } == 1)
            let last = try #require(try await store.users().first { $0.role == .admin })
            let password = try user("x", .viewer, "another horse").password
            #expect(try await store.setUser(last.name, role: .sender, password: password) == .lastAdministrator)
            #expect(try await store.user(last.name) == last, "Neither the role nor the password has changed.")
            #expect(try await store.setUser(last.name, role: .admin, password: password) == .done)
            #expect(try await store.setUser("eve", role: .sender, password: nil) == .done)
            #expect(try await store.removeUser("eve") == .done)
        },
        Clause("The audit log is kept whole and read from the newest entry, a page at a time") { open in
            let store = try open()
            #expect(try await store.auditEntries(before: nil, limit: 10).isEmpty)
            let entries = [entry("a"), entry("b", address: "192.0.2.7"), entry("c", isDone: false)]
            for entry in entries { try await store.appendAudit(entry, keepingFrom: start) }
            let read = try await open().auditEntries(before: nil, limit: 10)
            let withoutIDs = read.map { entry in
                var entry = entry
                entry.id = 0
                return entry
            }
            #expect(withoutIDs == entries.reversed())
            #expect(read.map(\.id) == read.map(\.id).sorted(by: >) && Set(read.map(\.id)).count == 3)
            #expect(try await store.auditEntries(before: nil, limit: 2) == Array(read.prefix(2)))
            #expect(try await store.auditEntries(before: read[1].id, limit: 2) == [read[2]])
            #expect(try await store.auditEntries(before: read[2].id, limit: 2).isEmpty)
        },
        Clause("Equal refusals of an hour share an entry with their count; a change never does") { open in
            let store = try open()
            func append(_ entry: AuditEntry, after seconds: TimeInterval) async throws {
                var entry = entry
                entry.at = start + seconds
                try await store.appendAudit(entry, keepingFrom: start)
            }
            let refused = entry("a", address: "192.0.2.7", isDone: false)
            for seconds in [0, 1, 3600, 3601] as [TimeInterval] { try await append(refused, after: seconds) }
            for seconds in [0, 1] as [TimeInterval] {
                try await append(entry("a", address: "192.0.2.7"), after: seconds)
            }
            // Another address is another entry, and so is one that lies ahead after the clock was set back.
            try await append(entry("a", isDone: false), after: 2)
            try await append(refused, after: -3600)
            let read = try await open().auditEntries(before: nil, limit: 10).reversed()
            #expect(read.map(\.count) == [3, 1, 1, 1, 1, 1], "The counted one was last refused before the others.")
            #expect(read.map(\.isDone) == [false, false, true, true, false, false])
            #expect(read.map(\.lastAt) == [start + 3600, nil, nil, nil, nil, nil])
            #expect(read.map { $0.at.timeIntervalSince(start) } == [0, 3601, 0, 1, 2, -3600])
        },
        Clause("Of an actor's different refusals in an hour, those beyond a number are counted together") { open in
            let store = try open()
            let limit = AuditEntry.refusalsListed
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<(limit + 40) {
                    group.addTask {
                        try await store.appendAudit(entry("a\(number)", isDone: false), keepingFrom: start)
                    }
                }
                try await group.waitForAll()
            }
            var other = entry("b", isDone: false)
            other.actor.name = "ben"
            try await store.appendAudit(other, keepingFrom: start)
            try await store.appendAudit(entry("c"), keepingFrom: start)
            let read = try await open().auditEntries(before: nil, limit: 200).reversed().map(\.self)
            #expect(read.count == limit + 3)
            #expect(Set(read.map(\.id)).count == limit + 3)
            #expect(read[limit].action == "other requests" && read[limit].count == 40)
            #expect(read.prefix(limit).allSatisfy { $0.count == 1 && $0.actor.name == "ana" })
            #expect(read.suffix(2).map(\.action) == ["b", "c"], "Others, and what was done, have their entries.")
        },
    ]
}
