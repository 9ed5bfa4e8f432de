import Foundation
import PushService

extension PostgresFacts {
    /// The first version that the tests of the store run on.
    static let oldestVersion = 150_000
    /// The difference between two clocks that is not worth a warning, in seconds.
    private static let toleratedDifference = 2.0

    var findings: [Finding] {
        [versionFinding, durability, standby, clock, connectionsFinding, schema, privileges, encryption]
    }

    private var versionFinding: Finding {
        let check = "postgres.version"
        guard versionNumber >= Self.oldestVersion else {
            return Finding(
                of: check,
                .wrong,
                "The server is PostgreSQL \(version).",
                remedy: "Upgrade it to PostgreSQL 15 or newer."
            )
        }
        guard encoding == "UTF8" else {
            return Finding(
                of: check,
                .wrong,
                "The database has the encoding \(encoding), which has not all characters of pushes and tags.",
                remedy: "Create a database with ENCODING 'UTF8', and move the data there with pg_dump."
            )
        }
        return Finding(of: check, .ok, "The server is PostgreSQL \(version).")
    }

    private var durability: Finding {
        let check = "postgres.durability"
        guard fsync else {
            return Finding(
                of: check,
                .wrong,
                "fsync is off: a crash of the server's machine can destroy the database.",
                remedy: "Set fsync = on in postgresql.conf and restart the server."
            )
        }
        guard fullPageWrites else {
            return Finding(
                of: check,
                .wrong,
                "full_page_writes is off: a crash of the server's machine can damage pages of the database.",
                remedy:
                    "Set full_page_writes = on in postgresql.conf and reload the server, unless its file system writes pages as a "
                    + "whole."
            )
        }
        switch synchronousCommit {
        case "off":
            return Finding(
                of: check,
                .wrong,
                "synchronous_commit is off: pushes that were answered with 200 can be lost in a crash of the server.",
                remedy: "Set synchronous_commit = on for the server, the database and the role of the service."
            )
        case "local" where !standbys.names.isEmpty, "remote_write" where !standbys.names.isEmpty:
            return Finding(
                of: check,
                .warning,
                "synchronous_commit is \(synchronousCommit): a commit does not wait until a standby has it on disk.",
                remedy: "Set synchronous_commit = on if the standby is to take over without loss."
            )
        default:
            return Finding(
                of: check,
                .ok,
                "Commits are on disk (synchronous_commit = \(synchronousCommit), fsync = on)."
            )
        }
    }

    private var standby: Finding {
        let check = "postgres.standby"
        guard !standbys.names.isEmpty else {
            return Finding(
                of: check,
                .warning,
                standbys.all == 0
                    ? "The server has no standby: if its disk is lost, so is the data since the last backup."
                    : "The server waits for no standby: the newest commits are lost if a standby takes over.",
                remedy: "Set up a standby and name it in synchronous_standby_names, or accept the loss."
            )
        }
        guard let synchronous = standbys.synchronous else {
            return Finding(
                of: check,
                .unknown,
                "Commits wait for \(standbys.names); the role may not see whether it is connected.",
                remedy: "GRANT pg_monitor to the role of the service."
            )
        }
        guard synchronous > 0 else {
            return Finding(
                of: check,
                .wrong,
                "Commits wait for \(standbys.names), and no synchronous standby is connected: pushes are not answered.",
                remedy: "Start the standby, or remove it from synchronous_standby_names and reload the server."
            )
        }
        return Finding(of: check, .ok, "Commits wait for \(standbys.names); \(synchronous) connected.")
    }

    private var clock: Finding {
        let check = "postgres.clock"
        let difference = max(0, abs(clockDifference) - clockTolerance)
        guard difference > Self.toleratedDifference else {
            return Finding(of: check, .ok, "The clocks of the server and of this machine agree.")
        }
        let seconds = Int(difference.rounded())
        return Finding(
            of: check,
            .warning,
            "The server's clock is \(seconds) seconds \(clockDifference > 0 ? "ahead of" : "behind") this machine's. "
                + "Pushes and schedules follow the server's, certificates and provider tokens the machine's.",
            remedy: "Synchronise both with NTP; 'doctor' of an app says which one APNs disagrees with."
        )
    }

    private var connectionsFinding: Finding {
        let check = "postgres.connections"
        let (nodes, perNode) = (connections.nodes, connections.perNode)
        let needed = nodes * perNode
        let left = connections.available - connections.others
        let need = "\(nodes) \(nodes == 1 ? "node needs" : "nodes need") up to \(needed) connections"
        guard needed <= left else {
            return Finding(
                of: check,
                .wrong,
                "\(need), and the server has \(left) for them: requests get 503 when they are used up.",
                remedy: "Raise max_connections (and the limits of the role and the database), set "
                    + "postgres.connections lower, or run fewer nodes."
            )
        }
        guard needed + perNode <= left else {
            return Finding(
                of: check,
                .warning,
                "\(need), and the server has \(left) for them: too few for one more node, as during an upgrade.",
                remedy: "Raise max_connections by \(needed + perNode - left) or more."
            )
        }
        return Finding(of: check, .ok, "\(need); the server has \(left) for them.")
    }

    private var schema: Finding {
        let check = "postgres.schema"
        switch schemaVersion {
        case knownVersion:
            return Finding(of: check, .ok, "The tables have the version of this program, \(knownVersion).")
        case ..<knownVersion:
            return Finding(
                of: check,
                .warning,
                "The tables have version \(schemaVersion), and this program has \(knownVersion).",
                remedy: "They are migrated when 'posthorn serve' starts."
            )
        default:
            return Finding(
                of: check,
                .warning,
                "The tables have version \(schemaVersion) of a newer program; this one knows \(knownVersion).",
                remedy: "Finish the upgrade: restart this node with the newer program."
            )
        }
    }

    private var privileges: Finding {
        let check = "postgres.privileges"
        guard forbiddenTables.isEmpty else {
            return Finding(
                of: check,
                .wrong,
                "The role may not read and change \(forbiddenTables.joined(separator: ", ")).",
                remedy: """
                    GRANT SELECT, INSERT, UPDATE, DELETE on these tables, and TRUNCATE on usedcid0 and usedcid1, or make the role \
                    their owner.
                    """
            )
        }
        guard mayCreate else {
            return Finding(
                of: check,
                .warning,
                "The role may not create tables: an upgrade that changes them does not start.",
                remedy: "GRANT CREATE on the schema to the role, at least during upgrades."
            )
        }
        return Finding(of: check, .ok, "The role may read, change and migrate the tables.")
    }

    private var encryption: Finding {
        let check = "postgres.tls"
        guard isReadable else {
            return Finding(of: check, .ok, "The connection is encrypted, or stays on this machine.")
        }
        return Finding(
            of: check,
            .warning,
            "The connection to the server is not encrypted: pushes and device tokens can be read in transit.",
            remedy: "Add sslmode=verify-full (and sslrootcert=FILE) to the URL of the store."
        )
    }
}
