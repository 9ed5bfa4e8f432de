import Foundation
import PostgresClient
package import PushModel
package import PushService

extension PostgresStore {
    package func credential(of app: App.ID) async throws -> SealedCredential? {
        try await readOnce { connection in
            try connection.execute("SELECT keyID, teamID, sealedPrivateKey FROM credential WHERE app = $1", .app(app))
                .first.map { row in
                    SealedCredential(keyID: row.text(0), teamID: row.text(1), sealedPrivateKey: row.bytes(2))
                }
        }
    }

    package func setCredential(_ credential: SealedCredential, of app: App.ID) async throws {
        try await write { [self] session in
            try session.connection.execute(
                """
                INSERT INTO credential (app, keyID, teamID, sealedPrivateKey, isBound) VALUES ($1, $2, $3, $4, true)
                ON CONFLICT (app) DO UPDATE SET keyID = excluded.keyID, teamID = excluded.teamID,
                    sealedPrivateKey = excluded.sealedPrivateKey, isBound = true
                """,
                .app(app),
                .text(credential.keyID),
                .text(credential.teamID),
                .bytes(credential.sealedPrivateKey)
            )
            try Self.liftPauses(of: app, in: session.connection)
            try addToLog([.credentials(of: app)], in: session.connection)
        }
    }

    private static func liftPauses(of app: App.ID, in connection: PostgresConnection) throws {
        try connection.execute("DELETE FROM pause WHERE app = $1", .app(app))
    }

    package func removeCredential(of app: App.ID) async throws -> Bool {
        try await write { [self] session in
            let removed = try session.connection.execute("DELETE FROM credential WHERE app = $1", .app(app))
            guard removed.affected > 0 else { return false }
            try Self.liftPauses(of: app, in: session.connection)
            try addToLog([.credentials(of: app)], in: session.connection)
            return true
        }
    }

    package func pauses(of app: App.ID) async throws -> [APNSEnvironment: Pause] {
        try await readOnce { connection in
            try connection.execute("SELECT environment, reason, detail, until FROM pause WHERE app = $1", .app(app))
                .reduce(into: [:]) { pauses, row in
                    guard let environment = APNSEnvironment(rawValue: row.text(0)),
                        let reason = PauseReason(rawValue: row.text(1))
                    else { return }
                    pauses[environment] = Pause(reason: reason, detail: row.text(2), until: row.date(3))
                }
        }
    }

    package func credentialEnvironments() async throws -> Set<APNSEnvironment> {
        try await readOnce { connection in
            // A key is for both.
            let names = try connection.execute(
                """
                SELECT DISTINCT environment FROM certificate
                UNION SELECT unnest($1::text[]) WHERE EXISTS (SELECT 1 FROM credential)
                """,
                .texts(APNSEnvironment.allCases.map(\.rawValue))
            )
            return Set(names.compactMap { APNSEnvironment(rawValue: $0.text(0)) })
        }
    }

    package func certificates() async throws -> [SealedCertificate] {
        try await readOnce { [self] connection in
            let rows = try connection.execute(
                "SELECT \(SealedCertificate.columns) FROM certificate ORDER BY app, environment"
            )
            return readable(rows, named: "a certificate of app", SealedCertificate.init)
        }
    }

    package func certificate(of app: App.ID, _ environment: APNSEnvironment) async throws -> SealedCertificate? {
        try await readOnce { connection in
            try connection.execute(
                "SELECT \(SealedCertificate.columns) FROM certificate WHERE app = $1 AND environment = $2",
                .app(app),
                .text(environment.rawValue)
            ).first.map { try SealedCertificate($0) }
        }
    }

    package func setCertificates(
        _ certificates: [SealedCertificate],
        of app: App.ID,
        bundleID: String
    ) async throws -> App {
        defer { noteAppChange() }
        return try await write { [self] session in
            let connection = session.connection
            for certificate in certificates {
                try connection.execute(
                    """
                    INSERT INTO certificate (\(SealedCertificate.columns), isBound)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, true)
                    ON CONFLICT (app, environment) DO UPDATE SET sealed = excluded.sealed, topic = excluded.topic,
                        notAfter = excluded.notAfter, fingerprint = excluded.fingerprint,
                        warnedDays = excluded.warnedDays, isBound = true
                    """,
                    .app(app),
                    .text(certificate.environment.rawValue),
                    .bytes(certificate.sealed),
                    .text(certificate.topic),
                    .date(certificate.notAfter),
                    .bytes(certificate.fingerprint),
                    .optional(certificate.warnedDays.map { Int64($0) })
                )
            }
            try Self.liftPauses(of: app, in: connection)
            let row = try connection.execute(
                "UPDATE app SET bundleID = $1 WHERE id = $2 RETURNING \(App.columns)",
                .text(bundleID),
                .app(app)
            ).first
            guard let row else { throw MissingApp(app: app) }
            try addToLog([.apps, .credentials(of: app)], in: connection)
            return try App(row)
        }
    }

    package func removeCertificates(of app: App.ID, _ environments: [APNSEnvironment]) async throws -> Bool {
        try await write { [self] session in
            let removed = try session.connection.execute(
                "DELETE FROM certificate WHERE app = $1 AND environment = ANY ($2::text[])",
                .app(app),
                .texts(environments.map(\.rawValue))
            )
            guard removed.affected > 0 else { return false }
            try Self.liftPauses(of: app, in: session.connection)
            try addToLog([.credentials(of: app)], in: session.connection)
            return true
        }
    }

    package func warned(of certificate: SealedCertificate, days: Int) async throws {
        try await write { session -> Void in
            try session.connection.execute(
                "UPDATE certificate SET warnedDays = $1 WHERE app = $2 AND environment = $3 AND fingerprint = $4",
                .int64(Int64(days)),
                .app(certificate.app),
                .text(certificate.environment.rawValue),
                .bytes(certificate.fingerprint)
            )
        }
    }
}

/// The error for a change of an app that does not exist.
struct MissingApp: Error, CustomStringConvertible {
    var app: App.ID
    var description: String { "There is no app \(app)." }
}

extension SealedCertificate {
    /// The columns for ``init(_:)``, in order.
    static let columns = "app, environment, sealed, topic, notAfter, fingerprint, warnedDays"

    init(_ row: PostgresRow) throws {
        self.init(
            app: App.ID(truncatingIfNeeded: row.int64(0)),
            environment: try row.word(1, "environment", of: "certificate"),
            sealed: row.bytes(2),
            topic: row.text(3),
            notAfter: row.date(4),
            fingerprint: row.bytes(5),
            warnedDays: row.optionalInt64(6).map { Int($0) }
        )
    }
}
