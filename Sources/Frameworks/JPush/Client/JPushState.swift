import DeviceLink
import Foundation
import PushModel
import SystemPort

/// What the SDK knows in one process of an app.
struct JPushState: Sendable {
    enum Effect: Sendable {
        case link(SDKLinkClient.Action)
        /// Open the link of this number.
        case open(Int)
        /// Call ``JPushState/beat(_:)`` after this time.
        case beat(after: Duration)
        /// Say that this end lives.
        case ping
        case save(StoreKey, String?)
        case post(NetworkEvent)
        case answer(@Sendable (SDKReply) -> Void, SDKReply)
        case known(@Sendable (Int32, String?) -> Void, code: Int, String?)
        /// Keep the message's position, tell the app, then call ``JPushState/told(_:_:)``.
        case tell(SDKMessage)
        /// Show it above the app's page, and say what becomes of it.
        case showInApp(SDKMessage)
        case hideInApp(SDKMessage)
        /// Call ``JPushState/gateIsOver(_:_:)`` when an operation has had its time.
        case watch(Gate, operation: Int64)
        case unwatch(Gate)
        case log(JPushLog.Level, String)
    }

    /// What apps observe.
    enum NetworkEvent: Sendable {
        case isConnecting
        case didSetup
        case didClose
        case didRegister(String)
        case failedRegister
        case didLogin
        case serviceError(String)
    }

    /// What the app says of itself in `setup`.
    struct Setup: Sendable {
        var appKey: String
        var channel: String?
        var environment: APNSEnvironment
    }

    var random: PortRandom
    var setup: Setup?
    /// The app's store was read.
    var stored: Stored?
    var facts: AppFacts?
    var link: SDKLinkClient?
    /// Counts the links, so that a word from an old one is known as such.
    var linkNumber = 0
    /// How often the app says that it lives; nil leaves it to the service to ask.
    var heartbeat: Duration?
    var token: DeviceToken?
    var installation = ""
    /// The code with which the service refused the app, or for which there is no service.
    var refusal: Int?
    var waiting: [@Sendable (Int32, String?) -> Void] = []
    /// One complaint for a row of links that did not open.
    var hasComplained = false

    // Operations.
    var lastOperation: Int64 = 0
    var early: [Operation] = []
    var pending: [Int64: Pending] = [:]
    var busy: [Gate: Int64] = [:]
    var durable = DurableRequests()
    var rates: [Rate: CallRateLimit] = [:]
    /// The push switch is off, as far as the app has heard.
    var isStopped = false

    /// This is the process of a service extension: it reports receipts as the device that the app has registered, and
    /// leaves all else to the app.
    let isExtension: Bool

    var receipts = PendingReceipts()
    /// Who waits for the receipts under way: an extension, with the push in its hands.
    var reporters: [@Sendable (SDKReply) -> Void] = []
    /// The receipts that wait for the service's reply.
    var receiptsUnderWay: [SDKReceipt]?

    /// Custom messages that the app has not been told of; the first is on its way to it.
    var messages: [SDKMessage] = []

    // In-app messages.
    var inApp = PendingInAppMessages()
    /// Those that the person sees, as the app says.
    var pages: [String] = []
    /// The one that is shown, or about to be.
    var onScreen: SDKMessage?

    var isInFront: Bool
    /// The link stays while the app is not in front.
    var staysInBackground = false

    init(random: PortRandom, isExtension: Bool) {
        self.random = random
        self.isExtension = isExtension
        isInFront = !isExtension
    }

    var registrationID: String? {
        let identity = link == nil ? stored?.identity?.identity : link?.identity
        return identity?.registrationID
    }

    /// `PosthornLink` of the Info.plist.
    static let linkKey = "PosthornLink"
    /// The client result code of a device that is not registered.
    static let noRegistrationID = 1011
    static let malformedKey = 1008
}
