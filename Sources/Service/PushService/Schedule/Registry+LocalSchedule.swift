import Foundation
import PushModel

extension Registry {
    /// A schedule in the zones that the devices of an app are in now.
    func localSchedule(_ trigger: ScheduleTrigger, of app: App.ID, _ rules: ScheduleRules) -> LocalSchedule {
        let zones = zonesInUse(of: app).compactMap { TimeZone(identifier: $0) }
        return LocalSchedule(trigger: trigger, zones: zones, fallback: rules.zone)
    }
}
