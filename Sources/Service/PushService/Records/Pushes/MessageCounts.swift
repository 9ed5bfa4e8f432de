/// The statistics of one push; its own members are the counts for delivery over APNs.
///
/// Computed from its chunks, which have a bit for each device, so a count is as durable and exact as they are.
@dynamicMemberLookup package struct MessageCounts: Hashable, Sendable {
    package var apns = DeliveryCounts()
    /// The counts of the push's custom message over the SDK link.
    package var custom = DeliveryCounts()
    /// The counts of its in-app message over the SDK link.
    package var inApp = DeliveryCounts()
    /// Whether the counts for APNs are those of a push to Live Activities.
    package var isForLiveActivities = false
    /// Whether the counts for APNs are those of a VoIP push.
    package var isForVoIP = false
    /// The counts of the VoIP push beside a notification, to the tokens for PushKit.
    package var voip = DeliveryCounts()

    package init() {}

    package subscript(dynamicMember count: WritableKeyPath<DeliveryCounts, Int>) -> Int {
        get { apns[keyPath: count] }
        set { apns[keyPath: count] = newValue }
    }

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.apns = left.apns + right.apns
        sum.custom = left.custom + right.custom
        sum.inApp = left.inApp + right.inApp
        sum.voip = left.voip + right.voip
        sum.isForLiveActivities = sum.isForLiveActivities || right.isForLiveActivities
        sum.isForVoIP = sum.isForVoIP || right.isForVoIP
        return sum
    }
}
