package import PushDevice

extension PushDevice.Device {
    /// The timeout for a hanging app: a little longer than the system gives it for its last event.
    private static let patience = Duration.seconds(6)

    /// Waits until the apps have processed all their events, with a timeout, because one may hang.
    ///
    /// Returns false on timeout.
    package func settledInTime() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.settled()
                return !Task.isCancelled
            }
            group.addTask {
                // In the machine's time: the device's clock may be moved meanwhile.
                try? await ContinuousClock().sleep(for: Self.patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
