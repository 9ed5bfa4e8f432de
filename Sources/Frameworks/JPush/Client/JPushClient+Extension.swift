import DeviceLink
import UserNotifications

extension JPushClient {
    /// The time for which a push is held for its report; the system gives an extension about 30 seconds.
    static let extensionPatience = Duration.seconds(5)

    /// Reports a push and calls `done` once, on the main thread.
    func reportFromExtension(_ messageID: Int64, _ done: @escaping () -> Void) {
        let done = Handoff(done)
        let receipt = SDKReceipt(messageID: messageID, event: .received, time: Int64(now.timeIntervalSince1970))
        update { state in state.report(receipt) { _ in done.value() } }
        set(.extension, after: Self.extensionPatience) { $0.release(SDKLinkClient.timeout) }
    }
}
