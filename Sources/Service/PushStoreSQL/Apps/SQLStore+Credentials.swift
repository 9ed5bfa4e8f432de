package import PushModel
package import PushService

extension SQLStore {
    package func credential(of app: App.ID) async throws -> SealedCredential? {
        try await first("SELECT keyID, teamID, sealedPrivateKey FROM credential WHERE app = \(app)") {
            SealedCredential(keyID: $0.text(0), teamID: $0.text(1), sealedPrivateKey: $0.bytes(2))
        }
    }

    package func setCredential(_ credential: SealedCredential, of app: App.ID) async throws {
        try await change { session -> Void in
            try session.queue(
                """
                INSERT INTO credential (app, keyID, teamID, sealedPrivateKey) VALUES (\(app), \(credential.keyID),
                    \(credential.teamID), \(credential.sealedPrivateKey))
                ON CONFLICT (app) DO UPDATE SET keyID = excluded.keyID, teamID = excluded.teamID,
                    sealedPrivateKey = excluded.sealedPrivateKey
                """
            )
            try session.noteCredentials(of: app)
        }
    }

    package func removeCredential(of app: App.ID) async throws -> Bool {
        try await change { session in
            guard try session.execute("DELETE FROM credential WHERE app = \(app)") > 0 else { return false }
            try session.noteCredentials(of: app)
            return true
        }
    }

    package func pauses(of app: App.ID) async throws -> [APNSEnvironment: Pause] {
        try await queryOnce { session in
            var pauses: [APNSEnvironment: Pause] = [:]
            try session.forEach("SELECT environment, reason, detail, until FROM pause WHERE app = \(app)") {
                row in
                guard let environment = APNSEnvironment(rawValue: row.text(0)),
                    let reason = PauseReason(rawValue: row.text(1))
                else { return }
                pauses[environment] = Pause(reason: reason, detail: row.text(2), until: row.date(3))
            }
            return pauses
        }
    }

    package func resume(_ app: App.ID, _ environment: APNSEnvironment) async throws {
        // There is almost never one, and a read costs no commit.
        let isPaused =
            try await number("SELECT count(*) FROM pause WHERE app = \(app) AND environment = \(environment)") > 0
        guard isPaused else { return }
        try await execute("DELETE FROM pause WHERE app = \(app) AND environment = \(environment)")
    }

    package func credentialEnvironments() async throws -> Set<APNSEnvironment> {
        try await queryOnce { session in
            // A key is for both.
            let names = try session.rows(
                """
                SELECT environment FROM certificate
                UNION SELECT 'development' WHERE EXISTS (SELECT 1 FROM credential)
                UNION SELECT 'production' WHERE EXISTS (SELECT 1 FROM credential)
                """
            ) { $0.text(0) }
            return Set(names.compactMap(APNSEnvironment.init(rawValue:)))
        }
    }

    package func certificates() async throws -> [SealedCertificate] {
        try await readable("FROM certificate ORDER BY app, environment") { "a certificate of app \($0.int64(0))" }
    }

    package func certificate(of app: App.ID, _ environment: APNSEnvironment) async throws -> SealedCertificate? {
        try await record("FROM certificate WHERE app = \(app) AND environment = \(environment)")
    }

    package func setCertificates(
        _ certificates: [SealedCertificate],
        of app: App.ID,
        bundleID: String
    ) async throws -> App {
        defer { appChanges.add() }
        return try await change { session in
            for certificate in certificates {
                try session.queue(
                    """
                    INSERT INTO certificate (\(raw: SealedCertificate.columns))
                    VALUES (\(app), \(certificate.environment), \(certificate.sealed), \(certificate.topic),
                        \(certificate.notAfter), \(certificate.fingerprint), \(certificate.warnedDays))
                    ON CONFLICT (app, environment) DO UPDATE SET sealed = excluded.sealed, topic = excluded.topic,
                        notAfter = excluded.notAfter, fingerprint = excluded.fingerprint,
                        warnedDays = excluded.warnedDays
                    """
                )
            }
            let changed = try session.first(
                "UPDATE app SET bundleID = \(bundleID) WHERE id = \(app) RETURNING \(raw: App.columns)",
                read: App.init
            )
            guard let changed else { throw MissingApp(app: app) }
            try session.noteCredentials(of: app, and: [.apps])
            return changed
        }
    }

    package func removeCertificates(of app: App.ID, _ environments: [APNSEnvironment]) async throws -> Bool {
        try await change { session in
            let removed = try session.execute(
                """
                DELETE FROM certificate WHERE app = \(app) AND
                    \(session.dialect.isAny("environment", .texts(environments.map(\.rawValue))))
                """
            )
            guard removed > 0 else { return false }
            try session.noteCredentials(of: app)
            return true
        }
    }

    package func warned(of certificate: SealedCertificate, days: Int) async throws {
        try await execute(
            """
            UPDATE certificate SET warnedDays = \(days) WHERE app = \(certificate.app) AND environment =
                \(certificate.environment) AND fingerprint = \(certificate.fingerprint)
            """
        )
    }
}

extension SQLSession {
    /// Lifts the pauses of an app, which may have been those of its last credential, and announces the change.
    fileprivate func noteCredentials(of app: App.ID, and others: [SQLAnnouncement] = []) throws {
        try queue("DELETE FROM pause WHERE app = \(app)")
        try announce(others + [.credentials(app)])
    }

    package func insert(_ pause: Pause?, of destination: Destination) throws {
        guard let pause else { return }
        try queue(
            """
            INSERT INTO pause (app, environment, reason, detail, until)
            VALUES (\(destination.app), \(destination.environment), \(pause.reason), \(pause.detail), \(pause.until))
            ON CONFLICT (app, environment)
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

extension SealedCertificate: SQLRecord {
    package static let columns = "app, environment, sealed, topic, notAfter, fingerprint, warnedDays"

    package init(_ row: any SQLRow) throws {
        self.init(
            app: row.app(0),
            environment: try row.word(1, "environment", of: "certificate"),
            sealed: row.bytes(2),
            topic: row.text(3),
            notAfter: row.date(4),
            fingerprint: row.bytes(5),
            warnedDays: row.optionalInt(6)
        )
    }
}
