import Foundation
import GRDB
package import PushModel
package import PushService

extension SQLiteStore {
    package func credentialEnvironments() async throws -> Set<APNSEnvironment> {
        try await read { database in
            let hasKeys = try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM credential)") ?? false
            guard !hasKeys else { return Set(APNSEnvironment.allCases) }
            let names = try String.fetchSet(database, sql: "SELECT DISTINCT environment FROM certificate")
            return Set(names.compactMap(APNSEnvironment.init(rawValue:)))
        }
    }

    package func certificates() async throws -> [SealedCertificate] {
        try await read { [damage] database in
            try Row.fetchAll(database, sql: "SELECT * FROM certificate ORDER BY app, environment").compactMap { row in
                try damage.readable("a certificate of app \(row["app"] as Int64)") { try SealedCertificate(row: row) }
            }
        }
    }

    package func certificate(of app: App.ID, _ environment: APNSEnvironment) async throws -> SealedCertificate? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM certificate WHERE app = ? AND environment = ?",
                arguments: [app, environment.rawValue]
            ).map(SealedCertificate.init(row:))
        }
    }

    package func setCertificates(
        _ certificates: [SealedCertificate],
        of app: App.ID,
        bundleID: String
    ) async throws -> App {
        defer { noteAppChange() }
        return try await writes.write { database in
            for certificate in certificates {
                try database.execute(
                    sql: """
                        INSERT OR REPLACE INTO certificate
                            (app, environment, sealed, topic, notAfter, fingerprint, warnedDays, isBound)
                        VALUES (?, ?, ?, ?, ?, ?, ?, 1)
                        """,
                    arguments: [
                        app, certificate.environment.rawValue, Data(certificate.sealed), certificate.topic,
                        certificate.notAfter.milliseconds, Data(certificate.fingerprint), certificate.warnedDays,
                    ]
                )
            }
            try database.execute(sql: "UPDATE app SET bundleID = ? WHERE id = ?", arguments: [bundleID, app])
            try database.execute(sql: "DELETE FROM pause WHERE app = ?", arguments: [app])
            guard let row = try Row.fetchOne(database, sql: "SELECT * FROM app WHERE id = ?", arguments: [app]) else {
                throw DatabaseError(message: "There is no app \(app).")
            }
            return try App(row: row)
        }
    }

    package func removeCertificates(of app: App.ID, _ environments: [APNSEnvironment]) async throws -> Bool {
        try await writes.write { database in
            var count = 0
            for environment in environments {
                try database.execute(
                    sql: "DELETE FROM certificate WHERE app = ? AND environment = ?",
                    arguments: [app, environment.rawValue]
                )
                count += database.changesCount
            }
            guard count > 0 else { return false }
            try database.execute(sql: "DELETE FROM pause WHERE app = ?", arguments: [app])
            return true
        }
    }

    package func warned(of certificate: SealedCertificate, days: Int) async throws {
        try await writes.write { database in
            try database.execute(
                sql: "UPDATE certificate SET warnedDays = ? WHERE app = ? AND environment = ? AND fingerprint = ?",
                arguments: [
                    days, certificate.app, certificate.environment.rawValue, Data(certificate.fingerprint),
                ]
            )
        }
    }
}

extension SealedCertificate {
    init(row: Row) throws {
        self.init(
            app: row["app"],
            environment: try word(row, "environment", of: "certificate"),
            sealed: Array(row["sealed"] as Data),
            topic: row["topic"],
            notAfter: Date(milliseconds: row["notAfter"]),
            fingerprint: Array(row["fingerprint"] as Data),
            warnedDays: row["warnedDays"]
        )
    }
}
