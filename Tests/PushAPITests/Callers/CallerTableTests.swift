import PushAPI
import PushModel
import TestSupport
import Testing

/// Holds the answer of every call to every kind of caller to ``CallerTable``.
@Suite("The rights of callers", .suiteLimit)
struct CallerTableTests {
    @Test("The table has each call of the description, and only those")
    func isWhole() throws {
        let rows = CallerTable.rows.map(\.operation)
        #expect(Set(rows).count == rows.count, "a call stands in the table twice")
        let described = try Operation.described()
        #expect(described.subtracting(rows).sorted() == [], "are not in the table")
        #expect(Set(rows).subtracting(described).sorted() == [], "are not described")
    }

    @Test("Nobody but the owner is told anything, by the table")
    func tellsOwnersOnly() {
        for row in CallerTable.rows {
            for (caller, cell) in zip(Caller.allCases, row.cells) where cell.hasSuffix("*") {
                #expect(caller.isOwner, "\(row.operation) tells \(caller.rawValue) something")
            }
        }
        // Else nothing could be told of anybody, and nothing would be found.
        #expect(CallerTable.rows.count { $0.cells.contains { $0.hasSuffix("*") } } > 15)
    }

    @Test(
        "Each caller gets the answer of the table, and only the owner changes anything",
        arguments: CallerTable.groups
    )
    func answers(_ rows: [CallerTable.Row]) async throws {
        try await TestAPI.run { api in
            let house = try await PlantedHouse(api)
            let before = try await house.state(api)
            var cells = rows.map { _ in [String]() }
            func call(_ callers: [Caller]) async throws {
                for (place, row) in rows.enumerated() {
                    for caller in callers { cells[place].append(try await house.call(row.operation, as: caller, api)) }
                }
            }
            try await call(Caller.allCases.filter { !$0.isOwner })
            #expect(try await house.state(api) == before, "somebody has changed something")
            try await call(Caller.allCases.filter(\.isOwner))
            for (row, cells) in zip(rows, cells) {
                let found = CallerTable.Row(operation: row.operation, cells: cells)
                #expect(found == row, "\n\(found)\n\(row)")
            }
        }
    }

    /// Refusals of methods and of what is not served are routes too.
    @Test("Every route asks for credentials first, but for the four that need none")
    func asksForCredentialsFirst() async throws {
        try await TestAPI.run { api in
            let open: Set = ["/", "/health", "/ready", "/posthorn/v1/registrations"]
            let house = try await PlantedHouse(api)
            var count = 0
            for (method, path) in api.face.routes where !open.contains(path) {
                let target = path.replacing(#/\{[^}]*\}|\*+/#, with: "1")
                for caller in [Caller.none, .wrongApp, .wrongGroup, .wrongDeveloper, .wrongDevice] {
                    let answer = try await api.call(method, target, authorization: .some(house.authorization(caller)))
                    let isUnauthenticated = [400, 401].contains(answer.status)
                    #expect(
                        isUnauthenticated,
                        "\(method) \(target), \(caller.rawValue): \(answer.status) \(answer.text)"
                    )
                    #expect(answer.status == 401 || caller != .none, "\(method) \(target): \(answer.text)")
                    let challenge = answer.headers["www-authenticate"] ?? ""
                    let isAsked = challenge == "Bearer" || challenge.hasPrefix("Basic realm=")
                    #expect(isAsked || answer.status != 401, "\(method) \(target): \(challenge)")
                    count += 1
                }
            }
            #expect(count > 400)
        }
    }
}
