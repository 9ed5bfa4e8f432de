import PushModel

/// Size limits for what a device sends on the courier link. The gateway stores these values for long, and passes them
/// on.
enum CourierLimits {
    /// Octets in a device's id; generated ids have 32.
    static let device = 128
    /// Octets in a topic. Apple's bundle ids have at most 155; topics of other kinds add a suffix.
    static let topic = 255
    /// Octets in a channel's id; Apple's have 24.
    static let channel = 128
    /// Octets in a device's key, in hexadecimal digits.
    static let key = 64
    /// Octets in the longest text of an event: a reason, or the name of an action or a callback.
    static let eventText = 1024
    /// Apps on one device, in both environments together; far more than any real device has.
    static let apps = 1000

    /// Returns the problem with a device's frame; nil if it is acceptable.
    static func problem(with frame: CourierFrame) -> String? {
        switch frame {
        case .hello(let device, let key):
            return lengthProblem("device", device, atMost: Self.device) ?? keyProblem(key)
        case .register(let topic, _), .unregister(let topic, _):
            return lengthProblem("topic", topic, atMost: Self.topic)
        case .subscribe(let topic, _, let channel), .unsubscribe(let topic, _, let channel):
            return lengthProblem("topic", topic, atMost: Self.topic)
                ?? lengthProblem("channel", channel, atMost: Self.channel)
        case .awake, .registered, .push, .ack, .events, .eventsAck, .refused: return nil
        }
    }

    fileprivate static func lengthProblem(_ name: String, _ text: String, atMost most: Int) -> String? {
        let count = text.utf8.count
        guard !(1...most).contains(count) else { return nil }
        return "The \(name) has \(count) octets; expected 1 to \(most)."
    }

    private static func keyProblem(_ text: String) -> String? {
        let isHexadecimal = text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
        guard text.utf8.count != key || !isHexadecimal else { return nil }
        return "The key of the device is not \(key) hexadecimal digits in lower case."
    }
}

extension CourierServer.DeviceApp {
    /// The problem with the names of the app and its device, if others than the device give them; nil if they are acceptable.
    package var problem: String? {
        CourierLimits.lengthProblem("device", device, atMost: CourierLimits.device)
            ?? CourierLimits.lengthProblem("topic", topic, atMost: CourierLimits.topic)
    }
}

extension CourierEvent {
    /// Whether a device may report this event: it observed it itself, in text of reasonable length.
    var isOfDevice: Bool {
        guard event.station == .device else { return false }
        switch event.kind {
        case .callback(let text, _), .crashed(let text), .notDecoded(let text), .retried(let text), .acted(let text),
            .replaced(let text):
            return text.utf8.count <= CourierLimits.eventText
        default: return true
        }
    }
}
