internal import CDBus

/// Writes values into a message.
enum BusWriter {
    /// - Parameters:
    ///   - values: the arguments, in order.
    ///   - message: a new message of libdbus.
    @safe static func append(_ values: [BusValue], to message: OpaquePointer) {
        var iterator = DBusMessageIter()
        unsafe dbus_message_iter_init_append(message, &iterator)
        for value in values { append(value, &iterator) }
    }

    private static func append(_ value: BusValue, _ iterator: inout DBusMessageIter) {
        switch value {
        case .byte(let number): basic(number, "y", in: &iterator)
        case .boolean(let flag): basic(UInt32(flag ? 1 : 0), "b", in: &iterator)
        case .int32(let number): basic(number, "i", in: &iterator)
        case .uint32(let number): basic(number, "u", in: &iterator)
        case .int64(let number): basic(number, "x", in: &iterator)
        case .string(let text): append(text, &iterator)
        case .strings(let list):
            container("a", of: "s", in: &iterator) { inner in
                for text in list { append(text, &inner) }
            }
        case .options(let options):
            container("a", of: "{sv}", in: &iterator) { inner in
                for (key, value) in options.sorted(by: { $0.key < $1.key }) {
                    container("e", of: nil, in: &inner) { entry in
                        append(key, &entry)
                        container("v", of: value.signature, in: &entry) { append(value, &$0) }
                    }
                }
            }
        case .other: break
        }
    }

    /// A text without the characters that no string of D-Bus can contain.
    private static func append(_ text: String, _ iterator: inout DBusMessageIter) {
        unsafe text.filter { $0 != "\0" }.withCString { bytes in
            var bytes: UnsafePointer<CChar>? = unsafe bytes
            unsafe _ = dbus_message_iter_append_basic(&iterator, code("s"), &bytes)
        }
    }

    private static func basic<Number: BitwiseCopyable>(
        _ number: Number,
        _ type: Unicode.Scalar,
        in iterator: inout DBusMessageIter
    ) {
        var number = number
        unsafe _ = dbus_message_iter_append_basic(&iterator, code(type), &number)
    }

    private static func container(
        _ type: Unicode.Scalar,
        of signature: String?,
        in iterator: inout DBusMessageIter,
        _ body: (inout DBusMessageIter) -> Void
    ) {
        var inner = DBusMessageIter()
        unsafe _ = dbus_message_iter_open_container(&iterator, code(type), signature, &inner)
        body(&inner)
        unsafe _ = dbus_message_iter_close_container(&iterator, &inner)
    }

    private static func code(_ type: Unicode.Scalar) -> Int32 { Int32(type.value) }
}
