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
