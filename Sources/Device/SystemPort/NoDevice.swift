public import DeviceLink
public import PushClock
import PushModel

/// A port without a device: nothing is permitted or delivered, and there is no token.
public final class NoDevice: SystemPort {
    public static let shared = NoDevice()

    public let clock: any CivilClock = SystemClock()
    public let slots = PortSlots()
    public let facts = AppFacts(
        bundleID: "none",
        environment: .development,
        info: [:],
        deviceName: "No device",
        systemVersion: "17.0",
        vendorID: "00000000-0000-0000-0000-000000000000"
    )

    private init() {}

    public func call(_ call: SystemCall, completion: @escaping @Sendable (SystemReply) -> Void) {
        completion(read(call))
    }

    public func read(_ call: SystemCall) -> SystemReply {
        switch call {
        case .requestAuthorization: return .authorization(granted: false)
        case .notificationSettings: return .settings(SettingsRecord())
        case .categories: return .categories([])
        case .deliveredNotifications: return .notifications([])
        case .pendingRequests: return .requests([])
        case .readStorage: return .value(nil)
        case .open: return .opened(false)
        default:
            let text = "No emulated device runs in this process."
            return .failed(SystemError(domain: "NSCocoaErrorDomain", code: 3010, text: text))
        }
    }

    public func openLink(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        handler(.closed("no emulated device runs in this process"))
        return NoLink()
    }

    public func randomNumber() -> UInt64 { .random(in: .min ... .max) }
}

/// A link that was never open.
package final class NoLink: LinkConnection {
    package init() {}
    package func send(_ text: String) {}
    package func close() {}
}
