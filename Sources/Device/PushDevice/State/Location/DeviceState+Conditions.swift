import PushModel
import SystemPort

// The conditions of `CLMonitor` (iOS 17 and later). Source: Apple, `CLMonitor`: conditions persist by the monitor's name, at most 20
// for an app, and an event follows each change of a state, also one from the state that the app assumed.

extension DeviceState {
    mutating func add(_ region: GeoRegion, assumed: RegionWatch.State, to monitor: String, of bundleID: String) {
        guard let location = apps[bundleID]?.location else { return }
        let others = location.monitors.mapValues { $0.filter { !$0.isRefused } }
        let isNew = others[monitor]?.contains { $0.region.identifier == region.identifier } != true
        let isRefused = isNew && others.values.map(\.count).reduce(0, +) >= GeoRegion.watchedLimit
        let condition = ConditionRecord(region: region, state: assumed, date: date, isRefused: isRefused)
        apps[bundleID]?.location.set(condition, of: monitor)
        sendFacts(bundleID)
        if isRefused { return sendLocation(.condition(condition, monitor: monitor), to: bundleID) }
        checkConditions(of: bundleID)
    }

    mutating func removeCondition(_ identifier: String, of monitor: String, _ bundleID: String) {
        apps[bundleID]?.location.monitors[monitor]?.removeAll { $0.region.identifier == identifier }
        sendFacts(bundleID)
    }

    /// Sends the changed states to an app that may know them, starting it if necessary. The others keep their last state, and follow
    /// when the app may know.
    mutating func checkConditions(of bundleID: String) {
        guard let record = apps[bundleID], mayUseLocation(bundleID), !isReduced(record) else {
            return
        }
        for monitor in record.location.monitors.keys.sorted() {
            for index in record.location.monitors[monitor]?.indices ?? 0..<0 {
                guard var condition = apps[bundleID]?.location.monitors[monitor]?[index], !condition.isRefused,
                    case let state = surroundings.state(of: condition.region), state != .unknown,
                    state != condition.state
                else { continue }
                let news = "condition '\(condition.region.identifier)'"
                guard mayTell(bundleID, news: news) else { continue }
                condition.state = state
                condition.date = date
                apps[bundleID]?.location.set(condition, of: monitor)
                launchForLocation(bundleID)
                sendFacts(bundleID)
                sendLocation(.condition(condition, monitor: monitor), to: bundleID)
            }
        }
    }
}
