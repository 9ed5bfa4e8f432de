extension [UInt8] {
    /// Returns whether the octets are the same, in a time that does not depend on where they differ.
    func isSameInConstantTime(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
