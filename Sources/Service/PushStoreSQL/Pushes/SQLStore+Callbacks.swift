package import Foundation
package import PushModel
package import PushService

/// The apps for which events wait: one step in the index for each.
private let apps = """
    WITH RECURSIVE step AS (
        SELECT min(app) AS app FROM callbackReceiver WHERE dueAt IS NOT NULL
        UNION ALL
        SELECT (SELECT min(app) FROM callbackReceiver WHERE dueAt IS NOT NULL AND app > step.app) FROM step
        WHERE step.app IS NOT NULL
    ), apps AS (SELECT app FROM step WHERE app IS NOT NULL)
    """

// The events that wait for callback addresses. Whatever changes counted events locks their receiver first, several of them by number, and
// the count of the app last.
extension SQLStore {
    package func countCallbacks(at now: Date, limit: Int, rows: Int) async throws -> CallbackCount {
        // Without new events nothing is written.
        let new = try await self.rows(
            "SELECT number, receiver FROM callbackEvent WHERE dueAt IS NULL ORDER BY number LIMIT \(rows)"
        ) { (number: $0.int64(0), receiver: $0.int64(1)) }
        guard !new.isEmpty else { return CallbackCount(hasMore: false) }
        let lost = try await change { session in
            let receivers = Set(new.map(\.receiver)).sorted()
            try session.lockRows(
                "SELECT 1 FROM callbackReceiver WHERE \(session.dialect.isAny("id", receivers)) ORDER BY id",
                lock: .noKeyUpdate
            )
            return try session.count(new.map(\.number), at: now, limit: limit)
        }
        return CallbackCount(hasMore: new.count == rows, lost: lost)
    }

    package func takeCallbacks(
        at now: Date,
        _ limits: CallbackLimits,
        until lease: Date
    ) async throws -> [CallbackLot] {
        // Found and read beside other writes.
        let chosen = limits.chosen(try await queryOnce { try $0.due(at: now, limits) })
        guard !chosen.isEmpty else { return [] }
        let taken = try await change { session in
            // Another node takes those that are locked, or has taken them.
            let free = try session.numbers(
                """
                SELECT id FROM callbackReceiver WHERE \(session.dialect.isAny("id", chosen)) AND dueAt <= \(now)
                \(raw: session.dialect.locking(.free))
                """
            )
            try session.queue(
                "UPDATE callbackReceiver SET dueAt = \(lease) WHERE \(session.dialect.isAny("id", free))"
            )
            return free
        }
        guard !taken.isEmpty else { return [] }
        return try await query { session in
            try taken.compactMap { try session.lot(of: $0, at: now, limits, until: lease) }
        }
    }

    package func nextCallbackDue(besides apps: Set<App.ID>) async throws -> Date? {
        try await first(
            """
            \(raw: PushStoreSQL.apps)
            SELECT min((SELECT min(dueAt) FROM callbackReceiver WHERE app = apps.app AND dueAt IS NOT NULL))
            FROM apps WHERE NOT (\(dialect.isAny("app", apps)))
            """
        ) { $0.optionalDate(0) } ?? nil
    }

    package func endCallbacks(
        _ lot: CallbackLot,
        _ outcome: CallbackOutcome,
        at now: Date,
        limit: Int
    ) async throws -> Int {
        try await change { session in
            try session.lockRows("SELECT 1 FROM callbackReceiver WHERE id = \(lot.receiver)", lock: .noKeyUpdate)
            var rows = try session.remove(outcome.delivered.flatMap(\.numbers), countedAs: "delivered").rows
            for (batch, problem) in outcome.refused {
                rows += try session.remove(batch.numbers, countedAs: "lost", problem).rows
            }
            var lost = 0
            for failure in outcome.failed {
                try session.fail(failure, isAlone: !outcome.isDown)
                let over = failure.batch.events.filter { $0.attempts + 1 >= limit }.map(\.number)
                guard !over.isEmpty, !outcome.isDown else { continue }
                let removed = try session.remove(over, countedAs: "lost", failure.problem)
                rows += removed.rows
                lost += removed.devices
            }
            rows += try session.remove(lot.unreadable, countedAs: "lost", CallbackCount.damage).rows
            try session.end(lot, outcome, at: now)
            try session.discount(rows, of: lot.app)
            return lost
        }
    }

    package func giveUpCallbacks(of receiver: Int64, limit: Int, rows: Int) async throws -> Int? {
        try await change { session in
            let known = try session.first(
                """
                SELECT app, failed, problem FROM callbackReceiver WHERE id = \(receiver)
                \(raw: session.dialect.locking(.noKeyUpdate))
                """
            ) { (app: $0.app(0), failed: $0.int64(1), problem: $0.optionalText(2)) }
            guard let known else { return nil }
            let over = try session.numbers(
                """
                SELECT number FROM callbackEvent WHERE receiver = \(receiver) AND dueAt IS NOT NULL AND failedBefore
                    <= \(known.failed - Int64(limit)) LIMIT \(rows)
                """
            )
            guard !over.isEmpty else { return nil }
            let removed = try session.remove(over, countedAs: "lost", known.problem)
            try session.startAnew(receiver)
            try session.discount(removed.rows, of: known.app)
            return removed.devices
        }
    }

    package func callbackState(of message: MessageID) async throws -> CallbackState? {
        try await query { session in
            let rows = try session.rows(
                """
                SELECT message, url, delivered, lost, callback.problem, callbackReceiver.problem FROM callback
                LEFT JOIN callbackReceiver ON id = receiver WHERE origin = \(message) AND url <> '' ORDER BY message
                """
            ) { row in
                let problem = row.optionalText(4)
                return (
                    message: row.int64(0), now: row.optionalText(5),
                    state: CallbackState(
                        url: row.text(1),
                        delivered: row.int(2),
                        waiting: 0,
                        lost: row.int(3),
                        problem: problem
                    )
                )
            }
            guard let first = rows.first else { return nil }
            var state = CallbackState(url: first.state.url, delivered: 0, waiting: 0, lost: 0, problem: nil)
            for row in rows {
                state.delivered += row.state.delivered
                state.lost += row.state.lost
                let waiting = try session.rows(
                    "SELECT ordinals FROM callbackEvent WHERE message = \(row.message)"
                ) { OrdinalList.count(packed: $0.bytes(0)) }
                state.waiting += waiting.reduce(0, +)
                // What waits has the problem of its receiver.
                state.problem = (waiting.isEmpty ? nil : row.now) ?? row.state.problem ?? state.problem
            }
            return state
        }
    }

    package func waitingCallbacks() async throws -> [App.ID: Int] {
        try await queryOnce { session in
            var counts: [App.ID: Int] = [:]
            try session.forEach(
                """
                SELECT app, waiting FROM callbackCount WHERE waiting > 0
                UNION ALL
                SELECT app, count(*) FROM callbackEvent JOIN callbackReceiver ON id = receiver
                WHERE callbackEvent.dueAt IS NULL GROUP BY app
                """
            ) { counts[$0.app(0), default: 0] += $0.int(1) }
            return counts
        }
    }
}

extension SQLSession {
    fileprivate func count(_ numbers: [Int64], at now: Date, limit: Int) throws -> [App.ID: Int] {
        // Another node may have counted some of them meanwhile.
        var byApp: [App.ID: [Int64]] = [:]
        try forEach(
            """
            SELECT number, app FROM callbackEvent JOIN callbackReceiver ON id = receiver
            WHERE \(dialect.isAny("number", numbers)) AND callbackEvent.dueAt IS NULL ORDER BY number
            """
        ) { byApp[$0.app(1), default: []].append($0.int64(0)) }
        let apps = byApp.keys.sorted()
        for app in apps {
            try queue("INSERT INTO callbackCount (app, waiting) VALUES (\(app), 0) ON CONFLICT DO NOTHING")
        }
        let waiting = try rows(
            """
            SELECT app, waiting FROM callbackCount WHERE \(dialect.isAny("app", apps)) ORDER BY app
            \(raw: dialect.locking())
            """
        ) { (app: $0.app(0), count: $0.int(1)) }
        var counted: [Int64] = []
        var lost: [App.ID: Int] = [:]
        for (app, count) in waiting {
            let numbers = byApp[app] ?? []
            let room = max(0, limit - count)
            let excess = Array(numbers.dropFirst(room))
            if !excess.isEmpty { lost[app] = try remove(excess, countedAs: "lost", CallbackCount.problem).devices }
            counted += numbers.prefix(room)
            try queue("UPDATE callbackCount SET waiting = waiting + \(min(room, numbers.count)) WHERE app = \(app)")
        }
        try setDue(counted, now)
        return lost
    }

    /// Makes events and their receivers due.
    fileprivate func setDue(_ numbers: [Int64], _ now: Date) throws {
        let isNew = dialect.isAny("number", numbers)
        try queue(
            """
            UPDATE callbackEvent SET dueAt = \(now),
                failedBefore = (SELECT failed FROM callbackReceiver WHERE id = callbackEvent.receiver)
            WHERE \(isNew)
            """
        )
        try queue(
            """
            UPDATE callbackReceiver SET dueAt = \(now) WHERE dueAt IS NULL
            AND id IN (SELECT receiver FROM callbackEvent WHERE \(isNew))
            """
        )
    }

    /// Returns the receivers that are due, by app.
    fileprivate func due(at now: Date, _ limits: CallbackLimits) throws -> [[Int64]] {
        let due: SQLStatement =
            "SELECT id FROM callbackReceiver WHERE app = apps.app AND dueAt <= \(now) ORDER BY dueAt LIMIT \(limits.ofApp)"
        let rows = try self.rows(
            """
            \(raw: PushStoreSQL.apps)
            SELECT apps.app, receiver.id FROM apps
            JOIN callbackReceiver AS receiver ON \(dialect.isAmong("receiver.id", due))
            ORDER BY apps.app, receiver.dueAt
            """
        ) { (app: $0.app(0), receiver: $0.int64(1)) }
        var found: [(app: App.ID, receivers: [Int64])] = []
        for row in rows {
            if found.last?.app != row.app { found.append((row.app, [])) }
            found[found.count - 1].receivers.append(row.receiver)
        }
        return found.map { Array($0.receivers.prefix(limits.rest(of: $0.app))) }
    }

    fileprivate func lot(
        of receiver: Int64,
        at now: Date,
        _ limits: CallbackLimits,
        until lease: Date
    ) throws -> CallbackLot? {
        let known = try first("SELECT app, failures, failed FROM callbackReceiver WHERE id = \(receiver)") { row in
            let lot = CallbackLot(receiver: receiver, app: row.app(0), failures: row.int(1), lease: lease)
            return (lot: lot, failed: row.int64(2))
        }
        guard var lot = known?.lot, let failed = known?.failed else { return nil }
        var batches: [Int64: CallbackBatch] = [:]
        let rows = try self.rows(
            """
            SELECT number, kind, part, at, ordinals, \(failed) - failedBefore, message FROM callbackEvent
            WHERE receiver = \(receiver) AND dueAt <= \(now) ORDER BY dueAt, number LIMIT \(limits.rows)
            """
        ) { row in (number: row.int64(0), message: row.int64(6), events: Result { try CallbackBatch.Events(row) }) }
        let isMeant = dialect.isAny("message", Set(rows.map(\.message)))
        try forEach(
            "SELECT message, url, params, kinds, origin FROM callback WHERE \(isMeant)"
        ) { batches[$0.int64(0)] = CallbackBatch($0) }
        for row in rows {
            try lot.add(row.events.get, number: row.number, of: row.message, limit: limits.events) {
                batches[row.message]
            }
        }
        return lot
    }

    fileprivate func discount(_ rows: Int, of app: App.ID) throws {
        guard rows > 0 else { return }
        try queue("UPDATE callbackCount SET waiting = waiting - \(rows) WHERE app = \(app)")
    }

    /// Defers the events of a failed delivery, which counts for them alone if their receiver has taken others.
    fileprivate func fail(_ failure: CallbackOutcome.Failure, isAlone: Bool) throws {
        try queue(
            """
            UPDATE callbackEvent SET dueAt = \(failure.retry), failedBefore = failedBefore - \(isAlone ? 1 : 0)
            WHERE \(dialect.isAny("number", failure.batch.numbers))
            """
        )
        try queue("UPDATE callback SET problem = \(failure.problem) WHERE message = \(failure.batch.row)")
    }

    /// Gives the receiver of a lot back: it is due when its next events are, or paused.
    fileprivate func end(_ lot: CallbackLot, _ outcome: CallbackOutcome, at now: Date) throws {
        if outcome.isDown, let failure = outcome.failed.first {
            try queue(
                """
                UPDATE callbackReceiver SET failures = failures + 1, failed = failed + 1, problem =
                    \(failure.problem), dueAt = \(failure.retry)
                WHERE id = \(lot.receiver) AND dueAt = \(lot.lease)
                """
            )
            return
        }
        if !outcome.delivered.isEmpty {
            try queue(
                "UPDATE callbackReceiver SET failures = 0, problem = NULL WHERE id = \(lot.receiver) AND failures > 0"
            )
        }
        try queue(
            """
            UPDATE callbackReceiver SET dueAt = (
                SELECT CASE WHEN min(dueAt) < \(now) THEN \(now) ELSE min(dueAt) END FROM callbackEvent
                WHERE receiver = \(lot.receiver) AND dueAt IS NOT NULL
            ) WHERE id = \(lot.receiver) AND dueAt = \(lot.lease)
            """
        )
        try startAnew(lot.receiver)
    }

    /// Ends the failures of a receiver for which nothing waits.
    fileprivate func startAnew(_ receiver: Int64) throws {
        try queue(
            """
            UPDATE callbackReceiver SET failures = 0, problem = NULL, dueAt = NULL WHERE id = \(receiver)
            AND NOT EXISTS (SELECT 1 FROM callbackEvent WHERE receiver = \(receiver) AND dueAt IS NOT NULL)
            """
        )
    }

    /// Removes rows of events, adds their devices to a column of their callback, and sets its problem unless that is nil.
    /// Returns the number of rows, and of devices' events.
    fileprivate func remove(
        _ numbers: [Int64],
        countedAs column: String,
        _ problem: String? = nil
    ) throws -> (rows: Int, devices: Int) {
        guard !numbers.isEmpty else { return (0, 0) }
        var rows: Int = 0
        var counts: [Int64: Int] = [:]
        try forEach(
            "DELETE FROM callbackEvent WHERE \(dialect.isAny("number", numbers)) RETURNING message, ordinals"
        ) { row in
            rows += 1
            counts[row.int64(0), default: 0] += OrdinalList.count(packed: row.bytes(1))
        }
        for (message, count) in counts.sorted(by: { $0.key < $1.key }) {
            try queue(
                """
                UPDATE callback SET \(raw: column) = \(raw: column) + \(count), problem = coalesce(\(problem),
                    problem) WHERE message = \(message)
                """
            )
        }
        return (rows, counts.values.reduce(0, +))
    }

    /// Removes the events of a message that is deleted; its receiver is locked.
    func deleteCallbackEvents(of message: MessageID) throws {
        let counted = try rows(
            "DELETE FROM callbackEvent WHERE message = \(message) RETURNING dueAt IS NOT NULL"
        ) { $0.bool(0) }.count(where: \.self)
        guard counted > 0 else { return }
        let app = try first("SELECT app FROM callback WHERE message = \(message)") { $0.app(0) }
        if let app { try discount(counted, of: app) }
    }
}

extension CallbackBatch {
    /// Reads message, URL, params, kinds and origin of a callback.
    fileprivate init(_ row: any SQLRow) {
        let params = (try? JSONValue(parsing: row.text(2)))?.object
        let kinds = PushCallback.Kind(rawValue: row.int64(3))
        let callback = PushCallback(url: row.text(1), params: params ?? [:], kinds: kinds)
        self.init(message: row.message(4), callback: callback, row: row.int64(0))
    }
}

extension CallbackBatch.Events {
    /// Reads number, kind, part, date, devices and failures of an event.
    fileprivate init(_ row: any SQLRow) throws {
        self.init(
            number: row.int64(0),
            kind: PushCallback.Kind(rawValue: row.int64(1)),
            part: try row.word(2, "part", of: "callbackEvent"),
            date: row.date(3),
            ordinals: row.ordinals(4).ordinals,
            attempts: row.int(5)
        )
    }
}
