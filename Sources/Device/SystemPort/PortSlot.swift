/// State that a framework keeps for one process of an app: one object of the type behind each port.
package protocol PortSlot: AnyObject, Sendable {
    init()
}

extension PortSlot {
    /// Returns the object behind a port, which is created on first use.
    package static func of(_ port: any SystemPort) -> Self { port.slots.slot { Self() } }

    /// The object behind the port of the running code.
    package static var current: Self { of(CurrentPort.find()) }
}
