/// A method call that this process makes.
package struct BusCall: Hashable, Sendable {
    /// The name of the receiver, well-known or unique.
    package var destination: String
    package var path: String
    package var interface: String
    package var method: String
    package var arguments: [BusValue]
    /// Whether the bus starts the receiver if it does not run.
    package var startsReceiver = true

    package init(
        _ method: String,
        of interface: String,
        at path: String,
        to destination: String,
        _ arguments: [BusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.method = method
        self.arguments = arguments
    }

    /// Returns a call of the bus itself.
    package static func bus(_ method: String, _ arguments: [BusValue] = []) -> BusCall {
        BusCall(method, of: busName, at: "/org/freedesktop/DBus", to: busName, arguments)
    }

    /// The name and the interface of the bus itself.
    package static let busName = "org.freedesktop.DBus"
}

/// A signal that this process emits.
package struct BusSignal: Hashable, Sendable {
    package var path: String
    package var interface: String
    package var name: String
    package var arguments: [BusValue]
    /// The only receiver; nil for all that want it.
    package var destination: String?

    package init(
        _ name: String,
        of interface: String,
        at path: String,
        to destination: String? = nil,
        _ arguments: [BusValue]
    ) {
        self.path = path
        self.interface = interface
        self.name = name
        self.arguments = arguments
        self.destination = destination
    }
}

/// A method call or a signal that arrives.
package struct BusMessage: Hashable, Sendable {
    package var path = ""
    package var interface = ""
    /// The method's or the signal's name.
    package var member = ""
    /// The unique name of the sender.
    package var sender = ""
    package var arguments: [BusValue] = []

    package init() {}

    /// Returns the text at a place; nil if there is none.
    package func text(_ place: Int) -> String? { arguments.indices.contains(place) ? arguments[place].text : nil }
    /// Returns the unsigned number at a place; nil if there is none.
    package func number(_ place: Int) -> UInt32? { arguments.indices.contains(place) ? arguments[place].number : nil }
}

/// An answer to a method call with an error, or a failure of the connection.
package struct BusProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's D-Bus name; empty if the connection or the library failed.
    package var name: String
    package var text: String

    package init(name: String = "", _ text: String) {
        self.name = name
        self.text = text
    }

    /// Whether nobody has the name that was called, and the bus cannot start anybody who has.
    package var isReceiverMissing: Bool {
        ["org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner"].contains(name)
    }

    package var description: String { name.isEmpty ? text : "\(text) (\(name))" }
}

/// An event on a connection to the bus.
package enum BusEvent: Sendable {
    case signal(BusMessage)
    /// A method call; the handler's result is the answer.
    case call(BusMessage)
    /// The date set with `setAlarm` has come, or the machine's clock was set.
    case alarm
    /// The connection has ended.
    case lost
}
