import Foundation
import PushModel

extension Registry {
    /// Returns a schedule for the current zones of an app's devices.
    func localSchedule(_ trigger: ScheduleTrigger, of app: App.ID, _ rules: ScheduleRules) -> LocalSchedule {
        let zones = zonesInUse(of: app).compactMap { TimeZone(identifier: $0) }
        return LocalSchedule(trigger: trigger, zones: zones, fallback: rules.zone)
    }
}
