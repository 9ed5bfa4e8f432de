public import Foundation
import PushModel
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
    open var title: String?
    /// The state, for continuing the activity; property list values, URLs and UUIDs.
    open var userInfo: [AnyHashable: Any]?
    open var requiredUserInfoKeys: Set<String>?
    /// Whether ``userInfo`` is out of date: the next time that the app leaves the foreground, the responder whose activity it is and
    /// the delegate are asked to update it.
    open var needsSave = false
    /// The web page: of a universal link, the link.
    open var webpageURL: URL?
    open var referrerURL: URL?
    open var expirationDate: Date?
    open var keywords: Set<String> = []
    open var supportsContinuationStreams = false
    open weak var delegate: (any NSUserActivityDelegate)?
    open var targetContentIdentifier: String?
    open var isEligibleForHandoff = true
    open var isEligibleForSearch = false
    open var isEligibleForPublicIndexing = false
    open var isEligibleForPrediction = false
    open var persistentIdentifier: String?
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
    }
}
