package import Foundation

/// Looks at the machine and the data folder of a service.
package protocol MachineInspector: Sendable {
    /// Looks at the server of the store; nil for a store without one.
    var storeServer: (any StoreInspector)? { get }
    func facts() -> MachineFacts
}

/// The facts about a service's machine that `posthorn doctor` judges.
package struct MachineFacts: Sendable {
    package struct Limits: Sendable {
        /// Files that a process needs in addition to connections: the database, its readers, connections to APNs, name lookups.
        package static let otherFiles = 256

        /// The number of files that the process may have open.
        var openFiles: Int
        /// The number of connections that its settings ask for; it accepts fewer if there are too few files.
        var connections: Int

        package init(openFiles: Int, connections: Int) {
            self.openFiles = openFiles
            self.connections = connections
        }
    }

    /// The encryption of the API's connections.
    package enum Encryption: Hashable, Sendable {
        /// Plain HTTP, which does not leave the machine.
        case local
        /// Plain HTTP on this host, which others can read.
        case none(host: String)
        case certificate(notAfter: Date)
    }

    /// The space on the disk of the data folder in bytes; nil if the system does not tell.
    package var freeBytes: Int64?
    /// Nil if no service runs.
    package var limits: Limits?
    /// Sentences about files that others than the owner can read.
    package var readable: [String]
    /// Nil if no service runs.
    package var encryption: Encryption?

    package init(
        freeBytes: Int64?,
        limits: Limits? = nil,
        readable: [String],
        encryption: Encryption? = nil
    ) {
        self.freeBytes = freeBytes
        self.readable = readable
        self.encryption = encryption
        self.limits = limits
    }

    func findings(at now: Date) -> [Finding] {
        [disk, openFileLimit, permissions, encryption.map { Self.finding($0, at: now) }].compactMap(\.self)
    }

    private var disk: Finding {
        guard let freeBytes else { return Finding(of: "disk", .unknown, "The free space on the disk is not known.") }
        let found = "The disk of the data folder has \(freeBytes / 1_048_576) MiB free."
        let remedy =
            "Free space on the disk, or shorten retention.messages: on a full disk pushes are answered with 503."
        return switch freeBytes {
        case ..<104_857_600: Finding(of: "disk", .wrong, found, remedy: remedy)
        case ..<1_073_741_824: Finding(of: "disk", .warning, found, remedy: remedy)
        default: Finding(of: "disk", .ok, found)
        }
    }

    private var openFileLimit: Finding? {
        guard let limits else { return nil }
        let (files, connections) = (limits.openFiles, limits.connections)
        // Each connection takes one file.
        guard files < connections + Limits.otherFiles else {
            return Finding(
                of: "open-files",
                .ok,
                "\(files) files may be open, and \(connections) connections are accepted."
            )
        }
        return Finding(
            of: "open-files",
            .warning,
            "\(files) files may be open, which is too few for \(connections) connections.",
            remedy: "Raise the limit with LimitNOFILE= or 'ulimit -Hn', or set http.connections lower."
        )
    }

    private var permissions: Finding {
        guard let first = readable.first else {
            return Finding(of: "permissions", .ok, "Only the service's user can read its secrets.")
        }
        let more = readable.count > 1 ? " Others can open \(readable.count - 1) more." : ""
        return Finding(
            of: "permissions",
            .wrong,
            first + more,
            remedy: "Change the mode. If others have used this machine, change master secrets and keys too."
        )
    }

    private static func finding(_ encryption: Encryption, at now: Date) -> Finding {
        switch encryption {
        case .local: return Finding(of: "tls", .ok, "The API speaks plain HTTP on the loopback alone.")
        case .none(let host):
            return Finding(
                of: "tls",
                .wrong,
                "The API speaks plain HTTP on \(host): master secrets and pushes can be read in transit.",
                remedy: "Set http.cert and http.key, or listen on 127.0.0.1 behind a proxy with TLS."
            )
        case .certificate(let end):
            let days = CredentialFacts.daysLeft(end, at: now)
            let found = "The API speaks HTTPS; its certificate ends on \(end.formatted(.iso8601)), in \(days) days."
            let remedy = "Renew the files of http.cert and http.key; a running service reads them again."
            return switch days {
            case ..<0:
                Finding(of: "tls", .wrong, "The certificate expired on \(end.formatted(.iso8601)).", remedy: remedy)
            case ..<15: Finding(of: "tls", .warning, found, remedy: remedy)
            default: Finding(of: "tls", .ok, found)
            }
        }
    }
}
