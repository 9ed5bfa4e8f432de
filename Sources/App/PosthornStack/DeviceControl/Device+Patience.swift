package import PushDevice

extension PushDevice.Device {
    /// An app that hangs is given as long to take its events as the system gives it for the last one, and a little more.
    private static let patience = Duration.seconds(6)

    /// Waits for the apps to take every event that was sent to them, but not for ever: one may hang.
    ///
    /// Returns whether they have.
    package func settledInTime() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.settled()
                return !Task.isCancelled
            }
            group.addTask {
                // Of the machine's time: the device's own may be turned meanwhile.
                try? await ContinuousClock().sleep(for: Self.patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
