internal import CDBus

/// A connection of libdbus. It is made, used and closed on one thread: the one of ``BusConnection``.
@safe final class LibDBus {
    /// A message that has arrived.
    enum Arrived {
        case answer(serial: UInt32, BusAnswer)
        case signal(BusMessage)
        /// A method call, with its answer by the caller of the closure.
        case call(BusMessage, answer: (BusAnswer) -> Void)
    }

    private let connection: OpaquePointer

    /// Connects to the session bus.
    ///
    /// - Parameter address: the address of the bus; nil to find it as libdbus does, in the user's runtime folder.
    /// - Throws: the reason if the library is missing, or the bus cannot be reached.
    init(_ address: String?) throws(BusProblem) {
        if let reason = unsafe dbus_load() {
            let text = unsafe String(cString: reason)
            throw BusProblem("\(text). Notifications on the desktop need libdbus: install the package libdbus-1-3")
        }
        var error = unsafe DBusError()
        unsafe dbus_error_init(&error)
        defer { unsafe dbus_error_free(&error) }
        guard let connection = unsafe Self.open(address, &error) else {
            let text = unsafe error.message.map { unsafe String(cString: $0) } ?? "no reason given"
            throw BusProblem("The session bus cannot be reached: \(text)")
        }
        unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
        unsafe self.connection = connection
    }

    private static func open(_ address: String?, _ error: inout DBusError) -> OpaquePointer? {
        guard let address else { return unsafe dbus_bus_get_private(Int32(DBUS_SESSION_BUS), &error) }
        guard let connection = unsafe dbus_connection_open_private(address, &error) else { return nil }
        if unsafe dbus_bus_register(connection, &error) != 0 { return unsafe connection }
        unsafe dbus_connection_close(connection)
        unsafe dbus_connection_unref(connection)
        return nil
    }

    deinit {
        unsafe dbus_connection_close(connection)
        unsafe dbus_connection_unref(connection)
    }

    var isConnected: Bool { unsafe dbus_connection_get_is_connected(connection) != 0 }

    /// The descriptor to wait for; -1 after the end of the connection.
    var descriptor: Int32 {
        var descriptor: Int32 = -1
        let hasOne = unsafe dbus_connection_get_unix_fd(connection, &descriptor) != 0
        return hasOne ? descriptor : -1
    }

    /// Asks the bus for messages that match a rule, without waiting for its answer.
    func addMatch(_ rule: String) { unsafe dbus_bus_add_match(connection, rule, nil) }

    /// - Returns: the serial number of the call, which its answer names.
    func send(_ call: BusMessage) -> UInt32 {
        guard
            let message = unsafe dbus_message_new_method_call(call.destination, call.path, call.interface, call.member)
        else { return 0 }
        unsafe dbus_message_set_auto_start(message, call.startsReceiver ? 1 : 0)
        return unsafe send(message, call.arguments)
    }

    func emit(_ signal: BusMessage) {
        guard let message = unsafe dbus_message_new_signal(signal.path, signal.interface, signal.member) else { return }
        if let destination = signal.destination { unsafe _ = dbus_message_set_destination(message, destination) }
        unsafe _ = send(message, signal.arguments)
    }

    /// Writes until nothing is left to write.
    func flush() { unsafe dbus_connection_flush(connection) }

    /// Reads what has arrived, without waiting.
    func read() { unsafe _ = dbus_connection_read_write(connection, 0) }

    /// Returns the next message that was read; nil if there is none.
    ///
    /// - Parameter body: receives the message.
    /// - Returns: whether there was one.
    func next(_ body: (Arrived) -> Void) -> Bool {
        guard let message = unsafe dbus_connection_pop_message(connection) else { return false }
        defer { unsafe dbus_message_unref(message) }
        let arguments = BusReader.arguments(of: message)
        switch unsafe dbus_message_get_type(message) {
        case Int32(DBUS_RETURN):
            body(.answer(serial: unsafe dbus_message_get_reply_serial(message), .success(arguments)))
        case Int32(DBUS_ERROR_MESSAGE):
            let name = unsafe Self.text(dbus_message_get_error_name(message))
            let problem = BusProblem(name: name, arguments.first?.text ?? "no reason given")
            body(.answer(serial: unsafe dbus_message_get_reply_serial(message), .failure(problem)))
        case Int32(DBUS_SIGNAL): body(.signal(unsafe Self.received(message, arguments)))
        default: body(.call(unsafe Self.received(message, arguments)) { [self] in unsafe answer(message, $0) })
        }
        return true
    }

    private func answer(_ call: OpaquePointer, _ result: BusAnswer) {
        switch result {
        case .success(let values):
            guard let message = unsafe dbus_message_new_method_return(call) else { return }
            unsafe _ = send(message, values)
        case .failure(let problem):
            guard let message = unsafe dbus_message_new_error(call, problem.name, problem.text) else { return }
            unsafe _ = send(message, [])
        }
    }

    private func send(_ message: OpaquePointer, _ values: [BusValue]) -> UInt32 {
        defer { unsafe dbus_message_unref(message) }
        BusWriter.append(values, to: message)
        var serial: UInt32 = 0
        unsafe _ = dbus_connection_send(connection, message, &serial)
        return serial
    }

    private static func received(_ message: OpaquePointer, _ arguments: [BusValue]) -> BusMessage {
        var received = BusMessage(
            unsafe text(dbus_message_get_member(message)),
            of: unsafe text(dbus_message_get_interface(message)),
            at: unsafe text(dbus_message_get_path(message)),
            arguments
        )
        received.sender = unsafe text(dbus_message_get_sender(message))
        return received
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String {
        unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
}
