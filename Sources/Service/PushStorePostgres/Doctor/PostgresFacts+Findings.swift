import Foundation
import PostgresClient
import PushService

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
        let (nodes, perNode) = (connections.nodes, connections.perNode)
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
