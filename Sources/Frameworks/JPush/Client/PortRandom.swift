import SystemPort

/// Randomness from the device, through the port.
struct PortRandom: RandomNumberGenerator, Sendable {
    let port: PortReference

    func next() -> UInt64 { port.randomNumber() }

    /// Returns a version 4 UUID in lower case.
    func uuid() -> String {
        var bytes: [UInt8] = []
        for word in [next(), next()] { bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let id = UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        )
        return id.uuidString.lowercased()
    }
}
