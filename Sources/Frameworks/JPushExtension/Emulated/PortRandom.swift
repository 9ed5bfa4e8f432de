/// Randomness from the device, through the port.
package struct PortRandom: RandomNumberGenerator, Sendable {
    let port: PortReference

    package init(port: PortReference) { self.port = port }

    package func next() -> UInt64 { port.port?.randomNumber() ?? 0 }
}
