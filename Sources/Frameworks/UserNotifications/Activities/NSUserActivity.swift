public import Foundation
public import Intents
import PushModel
import Synchronization
package import SystemPort

/// The type of an activity that is a web page: a universal link.
public let NSUserActivityTypeBrowsingWeb = ActivityRecord.browsingWeb

/// The state of an app at one moment, to continue it later or elsewhere. On Apple's systems it is part of Foundation.
///
/// An emulated device hands activities to apps, universal links above all. It publishes none to other devices, to search or to
/// suggestions: their properties are stored only.
open class NSUserActivity: NSObject {
    /// The type: ``NSUserActivityTypeBrowsingWeb``, or one from the app's `NSUserActivityTypes`.
    public let activityType: String
    /// The title that a user sees; nil for none.
    open var title: String?
    /// The state, for continuing the activity; property list values, URLs and UUIDs.
    open var userInfo: [AnyHashable: Any]?
    /// The keys of `userInfo` that are handed over; nil for all.
    open var requiredUserInfoKeys: Set<String>?
    /// Whether ``userInfo`` is out of date: the next time that the app leaves the foreground, the responder whose activity it is and
    /// the delegate are asked to update it.
    open var needsSave = false
    /// The web page: of a universal link, the link.
    open var webpageURL: URL?
    /// The page that led to the activity; nil for none.
    open var referrerURL: URL?
    /// The date after which it is of no use; nil for the system's choice.
    open var expirationDate: Date?
    /// Words for searching; stored only, the device has no search.
    open var keywords: Set<String> = []
    /// Whether the app continues the activity with streams; stored only.
    open var supportsContinuationStreams = false
    /// The receiver of the request to bring `userInfo` up to date.
    open weak var delegate: (any NSUserActivityDelegate)?
    /// The identifier of the scene for it; nil for none.
    open var targetContentIdentifier: String?
    /// Whether other devices may be offered the activity; it is never offered here.
    open var isEligibleForHandoff = true
    /// Whether the activity may be found on the device; stored only.
    open var isEligibleForSearch = false
    /// Whether the activity may be found by others; stored only.
    open var isEligibleForPublicIndexing = false
    /// Whether the activity may be suggested; stored only.
    open var isEligibleForPrediction = false
    /// The identifier by which saved activities are deleted; nil for none.
    open var persistentIdentifier: String?
    /// The interaction that the activity continues: that of a call from the list of recent calls; nil for none.
    open private(set) var interaction: INInteraction?
    private var isInvalid = false

    /// Creates an activity of a type.
    public init(activityType: String) { self.activityType = activityType }

    /// Creates an activity with the first of the app's `NSUserActivityTypes`, as Apple's does.
    public override convenience init() {
        let types = CurrentPort.known?.facts.info["NSUserActivityTypes"]?.array ?? []
        self.init(activityType: types.first?.string ?? "")
    }

    /// Adds to ``userInfo``.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        userInfo = (userInfo ?? [:]).merging(otherDictionary) { _, new in new }
    }

    /// Makes it the app's current activity. Another one no longer is.
    open func becomeCurrent() {
        guard !isInvalid, let port = CurrentPort.known else { return }
        CurrentActivity.of(port).set(self)
    }

    /// Ends being the current activity of the app.
    open func resignCurrent() {
        guard let port = CurrentPort.known else { return }
        CurrentActivity.of(port).remove(self)
    }

    /// Ends the activity: it can no longer become current.
    open func invalidate() {
        isInvalid = true
        resignCurrent()
    }
}

/// Learns when an activity is saved.
public protocol NSUserActivityDelegate: NSObjectProtocol {
    /// The activity is about to be saved: its `needsSave` was set.
    func userActivityWillSave(_ userActivity: NSUserActivity)
    /// The activity was continued on another device. An emulated device offers its activities to no other, so it is never called.
    func userActivityWasContinued(_ userActivity: NSUserActivity)
}

extension NSUserActivityDelegate {
    public func userActivityWillSave(_ userActivity: NSUserActivity) {}
    public func userActivityWasContinued(_ userActivity: NSUserActivity) {}
}

extension NSUserActivity {
    /// Creates an activity that the system gives to an app.
    package convenience init(_ record: ActivityRecord) {
        self.init(activityType: record.type)
        title = record.title
        webpageURL = record.webpageURL.flatMap { URL(string: $0) }
        userInfo = record.userInfo?.dictionary
        interaction = INInteraction(callBack: record.type, userInfo ?? [:])
    }
}

/// The current activity of one process of an app.
package final class CurrentActivity: PortSlot {
    private let activity = Mutex<Handoff<NSUserActivity>?>(nil)

    package init() {}

    /// The activity; nil for none.
    package var value: NSUserActivity? { activity.withLock { $0 }?.value }

    func set(_ new: NSUserActivity) {
        let new = Handoff(new)
        activity.withLock { $0 = new }
    }

    /// Removes an activity if it is the current one.
    func remove(_ old: NSUserActivity) {
        let old = Handoff(old)
        activity.withLock { if $0?.value === old.value { $0 = nil } }
    }
}
