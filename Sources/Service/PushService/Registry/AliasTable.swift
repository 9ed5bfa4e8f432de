/// Which devices have an alias, without the aliases themselves.
///
/// Two aliases of one app with the same hash would be taken for one. The hash is seeded anew in each process, so nobody can
/// look for such a pair, and among a million aliases chance finds one in 10^13 questions.
struct AliasTable: Sendable {
    private var table = HashedOrdinals()

    /// Gives a device another alias; nil takes it away.
    mutating func set(_ alias: String?, of ordinal: DeviceOrdinal) {
        table.set(alias.map { KeyedHash.hash($0) } ?? 0, of: ordinal)
    }

    /// Gives other aliases, by their hashes, to some devices, each named once.
    mutating func add(_ aliases: [(ordinal: DeviceOrdinal, hash: UInt64)]) { table.add(aliases) }

    /// In rising order.
    func devices(_ alias: String) -> [DeviceOrdinal] { table.devices(KeyedHash.hash(alias)) }

    /// The devices with one of these aliases, by their hashes: each once, in rising order.
    func devices(_ hashes: [UInt64]) -> [DeviceOrdinal] { table.devices(anyOf: hashes).sortedOnce() }
}
