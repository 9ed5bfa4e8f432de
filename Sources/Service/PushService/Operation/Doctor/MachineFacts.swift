package import Foundation

/// Looks at the machine and the data folder of a service.
package protocol MachineInspector: Sendable {
    /// Looks at the store; nil for a service without a data folder.
    var storeInspector: (any StoreInspector)? { get }
    /// The free space on the disk of the data folder in bytes; nil if the system does not say.
    var freeBytes: Int64? { get }
    func facts() -> MachineFacts
    /// Tries the proxies between the service and other servers.
    func proxies() async -> [ProxyFacts]
}

/// The facts about a proxy between the service and other servers.
package struct ProxyFacts: Sendable {
    /// The key of its setting.
    package var setting: String
    package var address: String
    package var problem: String?

    package init(setting: String, address: String) {
        self.setting = setting
        self.address = address
    }

    var finding: Finding {
        guard let problem else { return Finding(of: setting, .ok, .proxyRight, with: ["address": address]) }
        return Finding(of: setting, .wrong, .proxyUnusable, with: ["detail": problem, "setting": setting])
    }
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
    /// Remarks about files that others than the owner can read.
    package var readable: [Remark]
    /// Nil if no service runs.
    package var encryption: Encryption?

    package init(freeBytes: Int64?, limits: Limits? = nil, readable: [Remark], encryption: Encryption? = nil) {
        self.freeBytes = freeBytes
        self.readable = readable
        self.encryption = encryption
        self.limits = limits
    }

    func findings(at now: Date) -> [Finding] {
        [disk, openFileLimit, permissions, encryption.map { Self.finding($0, at: now) }].compactMap(\.self)
    }

    private var disk: Finding {
        guard let freeBytes else { return Finding(of: "disk", .unknown, .diskUnknown) }
        let values = ["mebibytes": freeBytes / 1_048_576]
        return switch freeBytes {
        case ..<104_857_600: Finding(of: "disk", .wrong, .diskShort, with: values)
        case ..<1_073_741_824: Finding(of: "disk", .warning, .diskShort, with: values)
        default: Finding(of: "disk", .ok, .diskRight, with: values)
        }
    }

    private var openFileLimit: Finding? {
        guard let limits else { return nil }
        let values = ["files": limits.openFiles, "connections": limits.connections]
        // Each connection takes one file.
        return limits.openFiles < limits.connections + Limits.otherFiles
            ? Finding(of: "open-files", .warning, .filesFew, with: values)
            : Finding(of: "open-files", .ok, .filesRight, with: values)
    }

    private var permissions: Finding {
        guard let first = readable.first else { return Finding(of: "permissions", .ok, .filesPrivate) }
        let more = readable.count > 1 ? [Remark(.filesReadable, ["count": readable.count - 1])] : []
        return Finding(of: "permissions", .wrong, [first] + more)
    }

    private static func finding(_ encryption: Encryption, at now: Date) -> Finding {
        switch encryption {
        case .local: return Finding(of: "tls", .ok, .tlsLocal)
        case .none(let host): return Finding(of: "tls", .wrong, .tlsMissing, with: ["host": host])
        case .certificate(let end):
            let days = CredentialFacts.daysLeft(end, at: now)
            let values: [String: any CustomStringConvertible] = ["date": end.formatted(.iso8601), "days": days]
            return switch days {
            case ..<0: Finding(of: "tls", .wrong, .tlsExpired, with: values)
            case ..<15: Finding(of: "tls", .warning, .tlsEnding, with: values)
            default: Finding(of: "tls", .ok, .tlsRight, with: values)
            }
        }
    }
}
