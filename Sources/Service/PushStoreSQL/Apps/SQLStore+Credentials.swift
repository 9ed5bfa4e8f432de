import Foundation
package import PushModel
package import PushService

extension SQLStore {
    package func credentials(of app: App.ID) async throws -> [SealedCredential] {
        try await readable("FROM appCredential WHERE app = \(app) ORDER BY id") { "credential \($0.int64(0))" }
    }

    package func credentials() async throws -> [SealedCredential] {
        try await readable("FROM appCredential ORDER BY app, id") { "credential \($0.int64(0))" }
    }

    package func change(_ change: CredentialChange, of app: App.ID) async throws -> CredentialChangeResult {
        defer { if change.bundleID != nil { appChanges.add() } }
        return try await self.change { session in
            // One change of a set at a time.
            try session.lockRows("SELECT 1 FROM app WHERE id = \(app)", lock: .noKeyUpdate)
            guard var changed: App = try session.record("FROM app WHERE id = \(app) AND deletedAt IS NULL") else {
                throw MissingApp(app: app)
            }
            let known = try session.numbers("SELECT id FROM appCredential WHERE app = \(app)")
            let unknown = change.remove.union(change.narrow.keys).subtracting(known)
            guard unknown.isEmpty else {
                return CredentialChangeResult(app: changed, added: [], unknown: unknown.sorted())
            }
            guard known.count - change.remove.count + change.add.count <= SealedCredential.most else {
                throw TooManyCredentials()
            }
            for id in change.remove.sorted() { try session.queue("DELETE FROM appCredential WHERE id = \(id)") }
            for (id, environments) in change.narrow.sorted(by: { $0.key < $1.key }) {
                try session.queue(
                    """
                    UPDATE appCredential SET forDevelopment = \(environments.contains(.development)),
                        forProduction = \(environments.contains(.production)) WHERE id = \(id)
                    """
                )
            }
            let added = try change.add.map { try session.insert($0, of: app) }
            if let bundleID = change.bundleID {
                try session.queue("UPDATE app SET bundleID = \(bundleID) WHERE id = \(app)")
                changed.bundleID = bundleID
                try session.announce([.apps])
            }
            try session.queue("DELETE FROM destinationPause WHERE app = \(app)")
            try session.announce([.credentials(app)])
            return CredentialChangeResult(app: changed, added: added)
        }
    }

    package func record(
        _ answers: [KnownAnswers.Answer],
        of credential: SealedCredential.ID,
        app: App.ID
    ) async throws {
        try await change { session in
            try session.lockRows("SELECT 1 FROM app WHERE id = \(app)", lock: .noKeyUpdate)
            let text = try session.first("SELECT answers FROM appCredential WHERE id = \(credential) AND app = \(app)")
            {
                $0.text(0)
            }
            guard let text else { return }
            var known = KnownAnswers(stored: text)
            var isChanged = false
            for answer in answers where known.record(answer) { isChanged = true }
            try session.queue("UPDATE appCredential SET answers = \(known.stored) WHERE id = \(credential)")
            if isChanged { try session.announce([.credentials(app)]) }
        }
    }

    package func warned(of certificate: SealedCredential.ID, days: Int) async throws {
        try await execute("UPDATE appCredential SET warnedDays = \(days) WHERE id = \(certificate)")
    }

    package func credentialEnvironments() async throws -> Set<APNSEnvironment> {
        try await first(
            """
            SELECT EXISTS (SELECT 1 FROM appCredential WHERE forDevelopment),
                EXISTS (SELECT 1 FROM appCredential WHERE forProduction)
            """
        ) { $0.environments(0, 1) } ?? []
    }
}

// The pauses of destinations.
extension SQLStore {
    package func pauses(of app: App.ID) async throws -> [Destination: Pause] {
        try await queryOnce { session in
            var pauses: [Destination: Pause] = [:]
            try session.forEach(
                "SELECT destination, reason, detail, until FROM destinationPause WHERE app = \(app)"
            ) { row in
                guard let reason = PauseReason(rawValue: row.text(1)) else { return }
                pauses[Destination(number: row.int64(0))] = Pause(
                    reason: reason,
                    detail: row.text(2),
                    until: row.date(3)
                )
            }
            return pauses
        }
    }

    package func pauseCounts() async throws -> [PauseCount] {
        let paused = try await rows("SELECT destination, reason FROM destinationPause ORDER BY destination") { row in
            PauseReason(rawValue: row.text(1)).map { (destination: Destination(number: row.int64(0)), reason: $0) }
        }.compactMap(\.self)
        var counts: [PauseCount] = []
        for (destination, reason) in paused {
            let same = counts.firstIndex {
                $0.environment == destination.environment && $0.topic == destination.topic && $0.reason == reason
            }
            if let same {
                counts[same].apps += 1
            } else {
                counts.append(
                    PauseCount(
                        environment: destination.environment,
                        topic: destination.topic,
                        reason: reason,
                        apps: 1
                    )
                )
            }
        }
        return counts
    }

    package func resume(_ destination: Destination) async throws {
        // There is almost never one, and a read costs no commit.
        let isPaused =
            try await number("SELECT count(*) FROM destinationPause WHERE destination = \(destination.number)") > 0
        guard isPaused else { return }
        try await execute("DELETE FROM destinationPause WHERE destination = \(destination.number)")
    }
}

extension SQLSession {
    fileprivate func insert(_ credential: SealedCredential, of app: App.ID) throws -> SealedCredential.ID {
        let key = credential.key
        let certificate = credential.certificate
        let scope = credential.scope
        let id = try firstNumber(
            """
            INSERT INTO appCredential (app, kind, origin, keyID, teamID, bundleID, certificateTopics, notAfter, fingerprint,
                warnedDays, forDevelopment, forProduction, namesEnvironments, topics, sealed, answers, addedAt)
            VALUES (\(app), \(credential.kind), \(credential.origin), \(key?.id), \(key?.teamID), \(certificate?.bundleID),
                \(certificate?.topics.map(Self.text)), \(certificate?.notAfter), \(certificate?.fingerprint),
                \(certificate?.warnedDays), \(scope.environments.contains(.development)),
                \(scope.environments.contains(.production)), \(scope.namesEnvironments), \(scope.topics.map(Self.text)),
                \(credential.sealed), \(credential.answers.stored), \(credential.addedAt))
            RETURNING id
            """
        )
        guard let id else { throw MissingApp(app: app) }
        return id
    }

    /// Returns topics as a JSON array.
    private static func text(_ topics: [String]) -> String {
        JSONValue.strings(topics).text
    }

    package func insert(_ pause: Pause?, of destination: Destination) throws {
        guard let pause else { return }
        try queue(
            """
            INSERT INTO destinationPause (destination, app, reason, detail, until)
            VALUES (\(destination.number), \(destination.app), \(pause.reason), \(pause.detail), \(pause.until))
            ON CONFLICT (destination)
            DO UPDATE SET reason = excluded.reason, detail = excluded.detail, until = excluded.until
            """
        )
    }
}

/// The error for a change of an app that does not exist.
struct MissingApp: Error, CustomStringConvertible {
    var app: App.ID
    var description: String { "There is no app \(app)." }
}

extension SealedCredential: SQLRecord {
    package static let columns = """
        id, app, kind, origin, keyID, teamID, bundleID, certificateTopics, notAfter, fingerprint, warnedDays, forDevelopment,
        forProduction, namesEnvironments, topics, sealed, answers, addedAt
        """

    package init(_ row: any SQLRow) throws {
        let kind: CredentialKind = try row.word(2, "kind", of: "appCredential")
        let content: Content =
            switch kind {
            case .p8: .key(Key(id: row.text(4), teamID: row.text(5)))
            case .certificate:
                .certificate(
                    Certificate(
                        bundleID: row.text(6),
                        topics: try row.topics(7, "certificateTopics"),
                        notAfter: row.date(8),
                        fingerprint: row.bytes(9),
                        warnedDays: row.optionalInt(10)
                    )
                )
            }
        let scope = CredentialScope(
            environments: row.environments(11, 12),
            namesEnvironments: row.bool(13),
            topics: try row.topics(14, "topics")
        )
        self.init(
            id: row.int64(0),
            app: row.app(1),
            content,
            origin: try row.word(3, "origin", of: "appCredential"),
            scope: scope,
            sealed: row.bytes(15),
            addedAt: row.date(17),
            answers: KnownAnswers(stored: row.text(16))
        )
    }
}

extension SQLRow {
    /// Returns the environments of two flags.
    fileprivate func environments(_ development: Int, _ production: Int) -> Set<APNSEnvironment> {
        var environments: Set<APNSEnvironment> = []
        if bool(development) { environments.insert(.development) }
        if bool(production) { environments.insert(.production) }
        return environments
    }

    /// Returns the topics of a column; nil for null.
    ///
    /// - Throws: ``CorruptRow`` for text that is not a JSON array of strings.
    fileprivate func topics(_ column: Int, _ name: String) throws -> [String]? {
        guard let text = optionalText(column) else { return nil }
        guard let topics = (try? JSONValue(parsing: text))?.array?.map(\.string), !topics.contains(nil) else {
            throw CorruptRow(table: "appCredential", column: name, found: text)
        }
        return topics.compactMap(\.self)
    }
}
