import PushModel

/// The devices that got and opened earlier pushes, as far as the conditions of an audience need them.
package struct PastDevices: Sendable {
    var got: [MessageID: DeviceSet] = [:]
    var opened: [MessageID: DeviceSet] = [:]
    /// The devices that have opened a push of the last days, by the number of days.
    var openers: [Int: DeviceSet] = [:]

    package init() {}
}

extension TagQuery {
    /// Adds the conditions on earlier pushes. One whose devices were not read is met by no device.
    mutating func add(_ filter: Audience.Filter, _ past: PastDevices) {
        func leaveOut(_ set: DeviceSet?) {
            if let set { noneOf.append(set) } else { allOf.append(nil) }
        }
        for push in filter.pastPushes {
            switch push.fate {
            case .got: allOf.append(past.got[push.message])
            case .notGot: leaveOut(past.got[push.message])
            case .opened: allOf.append(past.opened[push.message])
            case .notOpened:
                allOf.append(past.got[push.message])
                leaveOut(past.opened[push.message])
            }
        }
        if let days = filter.openedNothingForDays { leaveOut(past.openers[days]) }
    }
}
