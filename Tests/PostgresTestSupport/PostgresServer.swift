package import Foundation
import Logging
import PostgresClient
import Synchronization

/// A PostgreSQL server of the tests' own, in a temporary folder. It stops when the test process ends, however it ends.
package final class PostgresServer: Sendable {
    /// The server of this process, started by its first user.
    package static let shared = Result { try PostgresServer() }

    /// The folder with the server's socket.
    package let folder: String
    /// The shell that runs the server until its standard input is closed.
    private let shell: Process
    private let input: Pipe
    private let output: Pipe
    private let databases = Mutex(0)

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Starts a server and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - settings: lines of postgresql.conf.
    ///   - files: a folder whose files are copied to the server's data, readable by the server alone: keys, certificates, pg_hba.conf.
    /// - Throws: ``Failure`` if PostgreSQL is not installed or does not start.
    package init(settings: [String] = [], files: URL? = nil) throws {
        // Short, because the path of a socket has at most 107 bytes.
        folder = "\(Self.parent)/posthorn-postgres-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        input = Pipe()
        output = Pipe()
        // No other process may hold this end: the shell waits until it is closed.
        guard fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw Failure(description: "the pipe cannot be kept from other processes: error \(errno)")
        }
        shell = Process()
        // PostgreSQL does not run as root; Debian's package has a user for it.
        let isRoot = getuid() == 0
        shell.executableURL = URL(filePath: isRoot ? "/usr/sbin/runuser" : "/bin/sh")
        let arguments = ["-c", Self.script, "sh", folder, settings.joined(separator: "\n"), files?.path ?? ""]
        shell.arguments = isRoot ? ["-u", "postgres", "--", "/bin/sh"] + arguments : arguments
        shell.standardInput = input
        shell.standardOutput = output
        if isRoot {
            let owner = Process()
            owner.executableURL = URL(filePath: "/bin/chown")
            owner.arguments = ["postgres", folder]
            try owner.run()
            owner.waitUntilExit()
        }
        try shell.run()
        // The shell writes one line, or ends.
        let line = output.fileHandleForReading.availableData
        guard String(decoding: line, as: UTF8.self).hasPrefix("ready") else {
            let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "no log"
            throw Failure(
                description: "PostgreSQL does not start; Scripts/prepare.sh installs it (package postgresql): \(log)"
            )
        }
    }

    /// The folder of servers' folders: in memory, if there is room for hundreds of databases of 8 MB, because most of what a test waits for
    /// is else that the disk has written a new database. What a server does is the same.
    private static let parent: String = {
        let memory = "/dev/shm"
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: memory)
        let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        return free >= 8 << 30 && FileManager.default.isWritableFile(atPath: memory) ? memory : "/tmp"
    }()

    /// Runs `pg_ctl` with each line of its input, until this process closes it or ends, and then stops the server and removes the folder.
    private static let script = #"""
        cd "$1" || exit 1
        bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
        PATH=${bin:-/usr/local/bin}:$PATH
        initdb -D data -U posthorn --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync >log 2>&1 || exit 1
        # The autovacuum begins a process for each of the databases, again and again.
        printf "listen_addresses = ''\nunix_socket_directories = '%s'\nmax_connections = 200\nautovacuum = off\n%s\n" "$1" "$2" >>data/postgresql.conf
        [ -z "$3" ] || { cp "$3"/* data && chmod 600 data/*.*; } || exit 1
        pg_ctl -D data -w -l log start >/dev/null 2>&1 </dev/null || exit 1
        echo ready
        while read -r words; do
            pg_ctl -D data -w -l log $words >/dev/null 2>&1 </dev/null && echo done || echo failed
        done
        pg_ctl -D data -m immediate stop >/dev/null 2>&1
        rm -rf "$1"
        """#

    /// The URL of a database on this server.
    package func url(_ database: String = "postgres") -> String {
        "postgres:///\(database)?host=\(folder)&user=posthorn"
    }

    /// Creates an empty database, or a copy of another.
    ///
    /// - Parameter template: the database to copy; it must have no connections.
    /// - Returns: its URL.
    /// - Throws: ``PostgresError``
    package func makeDatabase(from template: String = "template0") async throws -> String {
        let name = databases.withLock { number in
            number += 1
            return "test\(number)"
        }
        var configuration = try PostgresConfiguration(url: url(), connections: 1)
        // The server copies a whole database, which takes long on a busy machine.
        configuration.limit = .seconds(600)
        let pool = PostgresPool(configuration, logger: Logger(label: "tests"))
        try await pool.run { try $0.executeScript("CREATE DATABASE \(name) TEMPLATE \(template)") }
        await pool.close()
        return url(name)
    }

    /// Runs `pg_ctl` on the server's data and waits for it.
    ///
    /// - Parameter words: its arguments: `-m immediate stop`.
    /// - Throws: ``Failure``
    package func control(_ words: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Array("\(words)\n".utf8))
        let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard answer == "done\n" else { throw Failure(description: "pg_ctl \(words): \(answer)") }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        shell.waitUntilExit()
    }
}
