import PushClock
package import PushDevice

extension PushDevice.Device {
    /// The timeout for a hanging app: a little longer than the system gives it for its last event.
    private static let patience = Duration.seconds(6)

    /// Waits until the apps have processed all their events, with a timeout, because one may hang.
    ///
    /// Returns false on timeout.
    package func settledInTime() async -> Bool {
        // In the machine's time: the device's clock may be moved meanwhile.
        let isSettled = try? await withTimeout(Self.patience) {
            await self.settled()
            return !Task.isCancelled
        }
        return isSettled ?? false
    }
}
