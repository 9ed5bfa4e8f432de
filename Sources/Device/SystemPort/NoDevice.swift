package import DeviceLink
package import PushClock
import PushModel

/// A port without a device: nothing is permitted or delivered, and there is no token.
package final class NoDevice: SystemPort {
    package static let shared = NoDevice()

    package let clock: any CivilClock = SystemClock()
    package let slots = PortSlots()
    package let facts = AppFacts(
        bundleID: "none",
        environment: .development,
        info: [:],
        deviceName: "No device",
        systemVersion: "17.0",
        vendorID: "00000000-0000-0000-0000-000000000000"
    )

    private init() {}

    package func call(_ call: SystemCall, completion: @escaping @Sendable (SystemReply) -> Void) {
        completion(read(call))
    }

    package func read(_ call: SystemCall) -> SystemReply {
        switch call {
        case .requestAuthorization: return .authorization(granted: false)
        case .notificationSettings: return .settings(SettingsRecord())
        case .categories: return .categories([])
        case .deliveredNotifications: return .notifications([])
        case .pendingRequests: return .requests([])
        case .readStorage: return .value(nil)
        case .open, .canOpen: return .opened(false)
        case .shortcuts: return .shortcuts([])
        case .liveActivity(.list): return .liveActivities([])
        case .liveActivity(.request): return .liveActivityRefused(.unsupported)
        default:
            let text = "No emulated device runs in this process."
            return .failed(SystemError(domain: "NSCocoaErrorDomain", code: 3010, text: text))
        }
    }

    package func openLink(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        handler(.closed("no emulated device runs in this process"))
        return NoLink()
    }

    package func randomNumber() -> UInt64 { .random(in: .min ... .max) }
}

/// A link that was never open.
package final class NoLink: LinkConnection {
    package init() {}
    package func send(_ text: String) {}
    package func close() {}
}
