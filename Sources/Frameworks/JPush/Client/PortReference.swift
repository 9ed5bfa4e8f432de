import SystemPort

/// A weak reference to the port, which holds the SDK.
final class PortReference: Sendable {
    private weak let held: (any SystemPort)?

    init(_ port: any SystemPort) { held = port }

    var port: (any SystemPort)? { held }

    func randomNumber() -> UInt64 { held?.randomNumber() ?? 0 }
}
