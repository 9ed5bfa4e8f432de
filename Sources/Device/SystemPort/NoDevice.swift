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

    package func call(_ call: SystemCall, completion: @escaping SystemReplyHandler) {
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
        case .storageKeys: return .storageKeys([])
        default:
            let text = "No emulated device runs in this process."
            let error = SystemError(domain: "NSCocoaErrorDomain", code: 3010, text: text)
            return SystemReply(withoutDevice: call) ?? .failed(error)
        }
    }

    package func openLink(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        handler(.closed("no emulated device runs in this process"))
        return NoLink()
    }

    package func randomNumber() -> UInt64 { .random(in: .min ... .max) }
}

extension SystemReply {
    /// The reply of a system that opens nothing and has no Live Activities; nil for a call about something else.
    package init?(withoutDevice call: SystemCall) {
        switch call {
        case .open, .canOpen: self = .opened(false)
        case .shortcuts: self = .shortcuts([])
        case .liveActivity(.list): self = .liveActivities([])
        case .liveActivity(.request): self = .liveActivityRefused(.unsupported)
        default: return nil
        }
    }
}

/// A link that was never open.
package final class NoLink: LinkConnection {
    package init() {}
    package func send(_ text: String) {}
    package func close() {}
}
