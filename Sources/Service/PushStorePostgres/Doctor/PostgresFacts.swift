import Foundation
import PostgresClient
import PushService

/// The facts about a PostgreSQL server that `posthorn doctor` judges.
struct PostgresFacts: Hashable, Sendable {
    /// The connections of the server, and the need of the nodes.
    struct Connections: Hashable, Sendable {
        /// The maximum for roles without special rights: that of the server, of the database or of the role.
        var available: Int
        /// The connections of others that are open now.
        var others: Int
        /// The maximum of one node.
        var perNode: Int
        /// The number of nodes with a valid lease; at least 1.
        var nodes: Int
    }

    /// The standbys of the server.
    struct Standbys: Hashable, Sendable {
        /// `synchronous_standby_names`; empty for a server that waits for no standby.
        var names: String
        /// The number of standbys that are connected and synchronous; nil if the role may not see it.
        var synchronous: Int?
        /// The number of all connected standbys.
        var all: Int
    }

    /// The version as the server prints it: `15.18 (Debian 15.18-0+deb12u1)`.
    var version: String
    /// The version as a number: 150018.
    var versionNumber: Int
    /// `fsync`, `full_page_writes` and `synchronous_commit`, as they are for the service's sessions.
    var fsync: Bool
    var fullPageWrites: Bool
    var synchronousCommit: String
    var standbys: Standbys
    /// The seconds by which the server's clock is ahead of the machine's.
    var clockDifference: Double
    /// Half of the time that the answer took, in seconds: the difference is not known more exactly.
    var clockTolerance: Double
    var connections: Connections
    /// The version of the tables, and the one that this program knows.
    var schemaVersion: Int
    var knownVersion: Int
    /// The tables that the role may not read and change.
    var forbiddenTables: [String]
    /// Whether the role may create tables, which an upgrade has to.
    var mayCreate: Bool
    /// The encoding of the database.
    var encoding: String
    /// Whether the connection leaves the machine without encryption.
    var isReadable: Bool
}

extension PostgresFacts {
    /// The difference between two clocks that is not worth a warning, in seconds.
    private static let toleratedDifference = 2.0

    var findings: [Finding] {
        [versionFinding, durability, standby, clock, connectionsFinding, schema, privileges, encryption]
    }

    private var versionFinding: Finding {
        let check = "postgres.version"
        let values = ["version": version, "encoding": encoding]
        guard versionNumber >= PostgresConnection.oldestServer else {
            return Finding(of: check, .wrong, .postgresOld, with: values)
        }
        return encoding == "UTF8"
            ? Finding(of: check, .ok, .postgresVersion, with: values)
            : Finding(of: check, .wrong, .postgresEncoding, with: values)
    }

    private var durability: Finding {
        let check = "postgres.durability"
        let values = ["setting": synchronousCommit]
        if !fsync { return Finding(of: check, .wrong, .postgresFsyncOff) }
        if !fullPageWrites { return Finding(of: check, .wrong, .postgresPartialPages) }
        return switch synchronousCommit {
        case "off": Finding(of: check, .wrong, .postgresCommitOff)
        case "local" where !standbys.names.isEmpty, "remote_write" where !standbys.names.isEmpty:
            Finding(of: check, .warning, .postgresCommitLocal, with: values)
        default: Finding(of: check, .ok, .postgresDurable, with: values)
        }
    }

    private var standby: Finding {
        let check = "postgres.standby"
        let names = ["names": standbys.names]
        guard !standbys.names.isEmpty else {
            return Finding(of: check, .warning, standbys.all == 0 ? .postgresNoStandby : .postgresStandbyNotAwaited)
        }
        guard let synchronous = standbys.synchronous else {
            return Finding(of: check, .unknown, .postgresStandbyUnseen, with: names)
        }
        guard synchronous > 0 else { return Finding(of: check, .wrong, .postgresStandbyAway, with: names) }
        return Finding(of: check, .ok, .postgresStandby, with: ["names": standbys.names, "count": synchronous])
    }

    private var clock: Finding {
        let check = "postgres.clock"
        let difference = max(0, abs(clockDifference) - clockTolerance)
        guard difference > Self.toleratedDifference else { return Finding(of: check, .ok, .postgresClockRight) }
        let code: Remark.Code = clockDifference > 0 ? .postgresClockAhead : .postgresClockBehind
        return Finding(of: check, .warning, code, with: ["seconds": Int(difference.rounded())])
    }

    private var connectionsFinding: Finding {
        let check = "postgres.connections"
        let nodes = connections.nodes
        let perNode = connections.perNode
        let needed = nodes * perNode
        let left = connections.available - connections.others
        let values = ["nodes": nodes, "needed": needed, "left": left, "missing": needed + perNode - left]
        if needed > left { return Finding(of: check, .wrong, .postgresConnectionsFew, with: values) }
        return needed + perNode > left
            ? Finding(of: check, .warning, .postgresConnectionsShort, with: values)
            : Finding(of: check, .ok, .postgresConnections, with: values)
    }

    private var schema: Finding {
        let check = "postgres.schema"
        let values = ["version": schemaVersion, "known": knownVersion]
        return switch schemaVersion {
        case knownVersion: Finding(of: check, .ok, .postgresSchema, with: values)
        case ..<knownVersion: Finding(of: check, .warning, .postgresSchemaOlder, with: values)
        default: Finding(of: check, .warning, .postgresSchemaNewer, with: values)
        }
    }

    private var privileges: Finding {
        let check = "postgres.privileges"
        guard forbiddenTables.isEmpty else {
            let tables = forbiddenTables.joined(separator: ", ")
            return Finding(of: check, .wrong, .postgresForbidden, with: ["tables": tables])
        }
        return mayCreate
            ? Finding(of: check, .ok, .postgresPrivileges) : Finding(of: check, .warning, .postgresMayNotCreate)
    }

    private var encryption: Finding {
        isReadable
            ? Finding(of: "postgres.tls", .warning, .postgresReadable)
            : Finding(of: "postgres.tls", .ok, .postgresPrivate)
    }
}
