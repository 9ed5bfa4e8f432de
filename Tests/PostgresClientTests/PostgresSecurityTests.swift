import Foundation
import Logging
import PostgresTestSupport
import TestSupport
import Testing

@testable import PostgresClient

@Suite("TLS and passwords of the PostgreSQL client", .suiteLimit)
struct PostgresSecurityTests {
    private static let password = "s3cret-s3cret"

    private struct Failure: Error, CustomStringConvertible { var description: String }

    private static func run(_ path: String, _ arguments: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "\(path) \(arguments) has failed") }
    }

    /// Makes two authorities, and a certificate of the first for `localhost`.
    private static func makeCertificates(in folder: URL) throws {
        for name in ["ca", "other"] {
            try run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).crt",
                ],
                in: folder
            )
        }
        try run(
            "/usr/bin/openssl",
            [
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", "server.key", "-out", "server.csr",
            ],
            in: folder
        )
        try run(
            "/usr/bin/openssl",
            [
                "x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days",
                "2",
                "-copy_extensions", "copy", "-out", "server.crt",
            ],
            in: folder
        )
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        guard status else { throw Failure(description: "no port: error \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Returns the answer of a URL: nil if it was possible to connect and select.
    private static func problem(_ url: String) async throws -> String? {
        let pool = PostgresPool(try PostgresConfiguration(url: url, connections: 1), logger: Logger(label: "tests"))
        do {
            let isEncrypted = try await pool.run { connection in
                try connection.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")[0].bool(0)
            }
            await pool.close()
            return isEncrypted ? nil : "not encrypted"
        } catch PostgresError.unavailable(let reason) {
            await pool.close()
            return reason
        }
    }

    @Test(
        "A server with TLS and SCRAM is reached with the right certificate and password; otherwise the error says what to do"
    )
    func security() async throws {
        try await withTemporaryFolder { folder in
            try Self.makeCertificates(in: folder)
            let access = "local all posthorn trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"
            try access.write(to: folder.appending(path: "pg_hba.conf"), atomically: true, encoding: .utf8)
            // The server's user copies them.
            try Self.run("/bin/chmod", ["-R", "a+rX", folder.path], in: folder)
            let port = try Self.freePort()
            let server = try PostgresServer(
                settings: [
                    "listen_addresses = '127.0.0.1'", "port = \(port)", "ssl = on", "ssl_cert_file = 'server.crt'",
                    "ssl_key_file = 'server.key'", "password_encryption = 'scram-sha-256'",
                ],
                files: folder
            )
            let local = PostgresPool(
                try PostgresConfiguration(url: server.url() + "&port=\(port)", connections: 1),
                logger: Logger(label: "tests")
            )
            try await local.run { try $0.executeScript("CREATE ROLE app LOGIN PASSWORD '\(Self.password)'") }
            await local.close()

            func url(
                password: String = Self.password,
                host: String = "localhost",
                database: String = "postgres",
                _ mode: String = "verify-full",
                authority: String? = "ca.crt"
            ) -> String {
                let root = folder.appending(path: authority ?? "none.crt").path
                return
                    "postgres://app:\(password)@\(host):\(port)/\(database)?hostaddr=127.0.0.1&sslmode=\(mode)&sslrootcert=\(root)"
            }
            #expect(try await Self.problem(url()) == nil)
            #expect(try await Self.problem(url("require")) == nil)
            let cases = [
                (url(password: "wr0ng"), "password authentication failed for user \"app\"", "ALTER ROLE"),
                (url(password: ""), "no password supplied", "USER:PASSWORD@HOST"),
                (url(authority: "other.crt"), "certificate verify failed", "sslrootcert=/path/to/ca.crt"),
                (url(authority: nil), "none.crt\" does not exist", "sslrootcert=/path/to/ca.crt"),
                (url(host: "db.example"), "does not match host name \"db.example\"", "Use one of these names"),
                (url("disable", authority: nil), "no encryption", "sslmode=verify-full"),
                (url(database: "nothing"), "database \"nothing\" does not exist", "createdb"),
            ]
            for (url, found, advice) in cases {
                let problem = try #require(try await Self.problem(url), "\(url) was accepted")
                #expect(problem.contains(found) && problem.contains(advice), "\(problem)")
                #expect(!problem.contains(Self.password) && !problem.contains("wr0ng"))
            }
            #expect(
                try await Self.problem(server.url() + "&port=\(port)&sslmode=disable") == "not encrypted",
                "Sockets of the machine itself have no TLS."
            )
        }
    }
}
