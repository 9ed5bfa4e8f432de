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
        let type = unsafe UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator))
        switch type {
        case UInt8(ascii: "y"): return .byte(basic(&iterator, UInt8(0)))
        case UInt8(ascii: "b"): return .boolean(basic(&iterator, UInt32(0)) != 0)
        case UInt8(ascii: "i"): return .int32(basic(&iterator, Int32(0)))
        case UInt8(ascii: "u"): return .uint32(basic(&iterator, UInt32(0)))
        case UInt8(ascii: "x"): return .int64(basic(&iterator, Int64(0)))
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"): return .string(text(&iterator))
        case UInt8(ascii: "v"): return inner(&iterator).first ?? .other(type)
        case UInt8(ascii: "a"): return array(&iterator)
        default: return .other(type)
        }
    }

    private static func array(_ iterator: inout DBusMessageIter) -> BusValue {
        let element = unsafe UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator))
        if element == UInt8(ascii: "s") { return .strings(inner(&iterator).compactMap(\.text)) }
        guard element == UInt8(ascii: "e") else { return .other(UInt8(ascii: "a")) }
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
