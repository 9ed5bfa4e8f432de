import PushDevice

/// An order to a running device: an action of the user on a Live Activity, or on their settings. Without an id, the most relevant
/// activity is meant.
package enum ActivityOrder: Hashable, Sendable, Codable {
    /// Touches the activity, which opens its app.
    case tap(id: String?)
    /// Swipes the activity off the lock screen, which ends it.
    case dismiss(id: String?)
    /// Sets "Live Activities" of the app.
    case allow(Bool)
    /// Sets "More Frequent Updates" of the app.
    case allowFrequent(Bool)

    /// Carries out the order.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - bundleID: the app whose settings change.
    /// - Throws: ``DeviceOrderProblem`` when the order cannot be carried out now.
    func perform(on device: PushDevice.Device, app bundleID: String) throws {
        switch self {
        case .tap(let id):
            let id = try target(id, of: device)
            guard !device.screen.isLocked else {
                throw DeviceOrderProblem("The device is locked; unlock it first.")
            }
            guard device.tapActivity(id) else { throw Self.notThere(id, device) }
        case .dismiss(let id):
            let id = try target(id, of: device)
            guard device.dismissActivity(id) else { throw Self.notThere(id, device) }
        case .allow(let isOn):
            try checkSettings(of: bundleID, device)
            device.setLiveActivities(of: bundleID, allowed: isOn)
        case .allowFrequent(let isOn):
            try checkSettings(of: bundleID, device)
            device.setFrequentActivityUpdates(of: bundleID, allowed: isOn)
        }
    }

    private func target(_ id: String?, of device: PushDevice.Device) throws -> String {
        guard let id = id ?? device.screen.activities.first?.id else {
            throw DeviceOrderProblem("No Live Activity is on the screen.")
        }
        return id
    }

    private static func notThere(_ id: String, _ device: PushDevice.Device) -> DeviceOrderProblem {
        let shown = device.screen.activities.map { "\($0.id) of \($0.appName)" }.joined(separator: ", ")
        let found = shown.isEmpty ? "no Live Activity is on the screen" : "on the screen are \(shown)"
        return DeviceOrderProblem("There is no Live Activity \(id); \(found).")
    }

    private func checkSettings(of bundleID: String, _ device: PushDevice.Device) throws {
        guard device.phoneState.apps.first(where: { $0.id == bundleID })?.liveActivities == nil else { return }
        throw DeviceOrderProblem(
            "'\(bundleID)' has no Live Activities: its Info.plist needs NSSupportsLiveActivities, and the device iOS 16.1 or later."
        )
    }
}
