/// The devices of each alias, without storing the aliases themselves.
///
/// Two aliases of one app with the same hash would be confused. The hash is seeded anew in each process, so nobody can search for
/// such a pair, and among a million aliases one in 10^13 lookups collides by chance.
struct AliasTable: Sendable {
    private var table = HashedOrdinals()

    /// Sets the alias of a device; nil removes it.
    mutating func set(_ alias: String?, of ordinal: DeviceOrdinal) {
        table.set(alias.map { KeyedHash.hash($0) } ?? 0, of: ordinal)
    }

    /// Sets the aliases of some devices, by hash; each device is listed once.
    mutating func add(_ aliases: [(ordinal: DeviceOrdinal, hash: UInt64)]) { table.add(aliases) }

    /// Returns the devices with an alias, in ascending order.
    func devices(_ alias: String) -> [DeviceOrdinal] { table.devices(KeyedHash.hash(alias)) }

    /// Returns the devices with one of these aliases, given as hashes: each once, in ascending order.
    func devices(_ hashes: [UInt64]) -> [DeviceOrdinal] { table.devices(anyOf: hashes).sortedOnce() }
}
