internal import CDBus

/// Reads the values of a message.
enum BusReader {
    /// - Parameter message: a message of libdbus.
    /// - Returns: its arguments.
    @safe static func arguments(of message: OpaquePointer) -> [BusValue] {
        var iterator = DBusMessageIter()
        guard unsafe dbus_message_iter_init(message, &iterator) != 0 else { return [] }
        return all(&iterator)
    }

    private static func all(_ iterator: inout DBusMessageIter) -> [BusValue] {
        var values: [BusValue] = []
        while unsafe dbus_message_iter_get_arg_type(&iterator) != 0 {
            values.append(value(&iterator))
            unsafe _ = dbus_message_iter_next(&iterator)
        }
        return values
    }

    private static func value(_ iterator: inout DBusMessageIter) -> BusValue {
        let code = unsafe UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator))
        switch Unicode.Scalar(code) {
        case "y": return .byte(basic(&iterator, UInt8(0)))
        case "b": return .boolean(basic(&iterator, UInt32(0)) != 0)
        case "i": return .int32(basic(&iterator, Int32(0)))
        case "u": return .uint32(basic(&iterator, UInt32(0)))
        case "x": return .int64(basic(&iterator, Int64(0)))
        case "s", "o", "g": return .string(text(&iterator))
        case "v": return inner(&iterator).first ?? .other(code)
        case "a": return array(&iterator)
        default: return .other(code)
        }
    }

    private static func array(_ iterator: inout DBusMessageIter) -> BusValue {
        let code = unsafe UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator))
        let element = Unicode.Scalar(code)
        if element == "s" { return .strings(inner(&iterator).compactMap(\.text)) }
        guard element == "e" else { return .other(UInt8(ascii: "a")) }
        var options: [String: BusValue] = [:]
        var entries = DBusMessageIter()
        unsafe dbus_message_iter_recurse(&iterator, &entries)
        while unsafe dbus_message_iter_get_arg_type(&entries) != 0 {
            let pair = inner(&entries)
            if pair.count == 2, let key = pair[0].text { options[key] = pair[1] }
            unsafe _ = dbus_message_iter_next(&entries)
        }
        return .options(options)
    }

    private static func inner(_ iterator: inout DBusMessageIter) -> [BusValue] {
        var inner = DBusMessageIter()
        unsafe dbus_message_iter_recurse(&iterator, &inner)
        return all(&inner)
    }

    private static func basic<Number: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ zero: Number) -> Number {
        var number = zero
        unsafe dbus_message_iter_get_basic(&iterator, &number)
        return number
    }

    private static func text(_ iterator: inout DBusMessageIter) -> String {
        var text: UnsafePointer<CChar>?
        unsafe dbus_message_iter_get_basic(&iterator, &text)
        return unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
}
