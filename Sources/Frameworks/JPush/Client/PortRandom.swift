import SystemPort

/// Randomness from the device, through the port.
struct PortRandom: RandomNumberGenerator, Sendable {
    let port: PortReference

    func next() -> UInt64 { port.randomNumber() }
}
