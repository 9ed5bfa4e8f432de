/// The statements that a server has prepared for one connection. Those that were not used for the longest time are given up first.
struct StatementCache {
    struct Key: Hashable {
        var sql: String
        /// The types of the parameters.
        var types: [UInt32]
    }

    private struct Entry {
        var name: String
        var lastUse: Int
    }

    /// The number of statements above which the oldest are given up. Each costs the server 10 to 100 KB for its plan.
    static let limit = 256
    /// The number of statements that are given up together, as each time costs a round trip.
    static let step = 64

    private var entries: [Key: Entry] = [:]
    private var uses = 0
    /// Names are used once: whether a statement that failed with others was prepared is not known.
    private var nextName = 0

    var count: Int { entries.count }

    /// Returns the name of a prepared statement; nil if the server does not have it.
    mutating func name(of key: Key) -> String? {
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key]?.name
    }

    mutating func newName() -> String {
        nextName += 1
        return "s\(nextName)"
    }

    mutating func add(_ name: String, for key: Key) {
        uses += 1
        entries[key] = Entry(name: name, lastUse: uses)
    }

    /// Forgets all statements without telling the server.
    mutating func removeAll() { entries.removeAll() }

    /// Forgets the oldest statements if there are too many.
    ///
    /// - Returns: the names of the statements that the server should give up.
    mutating func removeOldest() -> [String] {
        guard entries.count > Self.limit else { return [] }
        let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(
            entries.count - Self.limit + Self.step
        )
        for (key, _) in oldest { entries[key] = nil }
        return oldest.map(\.value.name)
    }
}
