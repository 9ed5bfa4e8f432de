/// A method call or a signal.
package struct BusMessage: Hashable, Sendable {
    /// The name of the receiver, well-known or unique; nil for a signal to all that want it, and for a message that has arrived.
    package var destination: String?
    /// The unique name of the sender of a message that has arrived.
    package var sender = ""
    package var path: String
    package var interface: String
    /// The method's or the signal's name.
    package var member: String
    package var arguments: [BusValue]
    /// Whether the bus starts the receiver if it does not run.
    var startsReceiver = true

    package init(
        _ member: String,
        of interface: String,
        at path: String,
        to destination: String? = nil,
        _ arguments: [BusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// Returns a call of the bus itself.
    package static func bus(_ method: String, _ arguments: [BusValue] = []) -> BusMessage {
        BusMessage(method, of: busName, at: "/org/freedesktop/DBus", to: busName, arguments)
    }

    /// The name and the interface of the bus itself.
    package static let busName = "org.freedesktop.DBus"

    /// Returns the text at a place; nil if there is none.
    package func text(_ place: Int) -> String? { arguments.indices.contains(place) ? arguments[place].text : nil }
    /// Returns the unsigned number at a place; nil if there is none.
    package func number(_ place: Int) -> UInt32? { arguments.indices.contains(place) ? arguments[place].number : nil }
}

/// An answer to a method call.
package typealias BusAnswer = Result<[BusValue], BusProblem>

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
    var isReceiverMissing: Bool {
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
