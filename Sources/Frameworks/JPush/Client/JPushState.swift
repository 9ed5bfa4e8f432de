import DeviceLink
import Foundation
import PushClock
import PushModel
import SystemPort

/// The state of the SDK in one process of an app.
struct JPushState: EffectfulState {
    enum Effect: Sendable {
        case link(SDKLinkClient.Action)
        /// Open the link of this number.
        case open(Int)
        /// Call ``JPushState/beat()`` after this delay.
        case beat(after: Duration)
        /// Send a ping.
        case ping
        case save(StoreKey, String?)
        case post(NetworkEvent)
        case answer(@Sendable (SDKReply) -> Void, SDKReply)
        case known(@Sendable (Int32, String?) -> Void, code: Int, String?)
        /// Store the message's position, deliver it to the app, then call ``JPushState/delivered(_:)``.
        case deliver(SDKMessage)
        /// Show it in the app, and report the outcome.
        case showInApp(SDKMessage)
        case hideInApp(SDKMessage)
        case log(JPushLog.Level, String)
    }

    /// An event that apps can observe.
    enum NetworkEvent: Sendable {
        case isConnecting
        case didSetup
        case didClose
        case didRegister(String)
        case failedRegister
        case didLogin
        case serviceError(String)
    }

    /// The values that the app passes to `setup`.
    struct Setup: Sendable {
        var appKey: String
        var channel: String?
        var environment: APNSEnvironment
    }

    /// The effects to perform, in the order in which they were added.
    private(set) var effects: [Effect] = []

    var random: PortRandom
    var setup: Setup?
    /// The contents of the app's store, once read.
    var stored: Stored?
    var facts: AppFacts?
    var link: SDKLinkClient?
    /// Counts the links, to detect events from an old one.
    var linkNumber = 0
    /// The interval between the app's heartbeats; nil leaves the pings to the service.
    var heartbeat: Duration?
    var token: DeviceToken?
    var installation = ""
    /// The code of the service's refusal, or of the reason for having no service.
    var refusal: Int?
    var waiting: [@Sendable (Int32, String?) -> Void] = []
    /// Whether a failure was reported: one report for a series of links that did not open.
    var hasComplained = false

    // Operations.
    var lastOperation: Int64 = 0
    var early: [Operation] = []
    var pending: [Int64: Operation] = [:]
    var gates = CallGates()
    var durable = DurableRequests()
    /// Whether the push switch is off, as far as the app knows.
    var isStopped = false

    /// Whether this is the process of a service extension: it reports receipts as the device that the app has
    /// registered, and leaves everything else to the app.
    let isExtension: Bool

    var receipts = PendingReceipts()
    /// The callers that wait for the receipts in flight: an extension that is holding a push.
    var reporters: [@Sendable (SDKReply) -> Void] = []
    /// The receipts that wait for the service's reply.
    var receiptsUnderWay: [SDKReceipt]?

    /// Custom messages not delivered to the app yet; the first is being delivered.
    var messages: [SDKMessage] = []

    // In-app messages.
    var inApp = PendingInAppMessages()
    /// The visible pages, as reported by the app.
    var pages: [String] = []
    /// The message that is shown, or about to be shown.
    var onScreen: SDKMessage?

    var isInFront: Bool
    /// Whether the link stays open in the background.
    var staysInBackground = false

    init(random: PortRandom, isExtension: Bool) {
        self.random = random
        self.isExtension = isExtension
        isInFront = !isExtension
    }

    mutating func add(_ effect: Effect) { effects.append(effect) }

    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    var registrationID: String? {
        let identity = link == nil ? stored?.identity?.identity : link?.identity
        return identity?.registrationID
    }

    /// The Info.plist key of the link's URL.
    static let linkKey = "PosthornLink"
    /// The client result code of a device that is not registered.
    static let noRegistrationID = 1011
    static let malformedKey = 1008
}
