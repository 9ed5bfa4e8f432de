import PushDevice
import SystemPort

// Orders about what the device notices, and about what the system does with an app.

extension DeviceOrder {
    /// Carries out such an order.
    ///
    /// - Returns: false for another order.
    /// - Throws: ``DeviceOrderProblem`` with the reason why it cannot be carried out now.
    func act(on bundleID: String, of device: PushDevice.Device) throws -> Bool {
        switch self {
        case .turn(let degrees): device.turn(to: degrees)
        case .beacons(let beacons): device.setBeacons(beacons)
        case .preciseLocation(let isOn): device.setPreciseLocation(of: bundleID, allowed: isOn)
        case .shortcut(let type): try choose(type, of: bundleID, device)
        case .handOff(let activity):
            try check(device.handOff(activity, to: bundleID), continuing: activity.type, in: bundleID, device)
        case .failHandOff(let type):
            try check(device.failHandOff(of: type, to: bundleID), continuing: type, in: bundleID, device)
        case .memoryWarning: device.warnOfMemory()
        case .activity(let order): try order.perform(on: device, app: bundleID)
        case .backgroundFetch:
            guard device.fetchInBackground(bundleID) else {
                throw DeviceOrderProblem(
                    "'\(bundleID)' may not fetch in the background: it needs the background mode 'fetch', no BGTaskScheduler and "
                        + "background refresh, must not be in the foreground or swiped away, and the device not in Low Power Mode."
                )
            }
        case .finishSession(let identifier):
            guard device.finishBackgroundSession(identifier, of: bundleID) else {
                throw DeviceOrderProblem(
                    "'\(bundleID)' gets no event: it is in the foreground, where its session tells its delegate itself, or it was "
                        + "swiped away, which cancels its transfers."
                )
            }
        default: return false
        }
        return true
    }

    private func choose(_ type: String, of bundleID: String, _ device: PushDevice.Device) throws {
        guard !device.chooseShortcut(type, of: bundleID) else { return }
        try checkUnlocked(device)
        let types = device.shortcuts(of: bundleID).map { "'\($0.type)'" }
        let there = types.isEmpty ? "it shows none" : "it shows \(types.joined(separator: ", "))"
        throw DeviceOrderProblem("The icon of '\(bundleID)' shows no quick action '\(type)'; \(there).")
    }

    private func check(
        _ isDone: Bool,
        continuing type: String,
        in bundleID: String,
        _ device: PushDevice.Device
    ) throws {
        guard !isDone else { return }
        try checkUnlocked(device)
        throw DeviceOrderProblem(
            "'\(bundleID)' does not continue activities of type '\(type)': NSUserActivityTypes of its Info.plist does not have it."
        )
    }

    private func checkUnlocked(_ device: PushDevice.Device) throws {
        if device.screen.isLocked { throw DeviceOrderProblem("The device is locked; unlock it first.") }
    }
}
