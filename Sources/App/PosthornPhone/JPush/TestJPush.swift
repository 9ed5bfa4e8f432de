import DeviceLink
public import PushModel
import Synchronization

/// A JPush service for tests of apps with the JPush SDK, in the process of the test.
///
/// It does what the service does for an SDK: registers the app, keeps its tags, alias, badge and push switch with the SDK's rules,
/// delivers custom messages until they are acknowledged, and counts receipts. A test reads what the app has set, sends to
/// audiences, and makes requests fail.
///
/// ```swift
/// let jpush = TestJPush()
/// let app = InstalledApp(bundleID: "com.example.shop", link: TestJPush.url)
/// jpush.serve(phone)
/// phone.install(app) { AppDelegate() }
/// await phone.open(app)
/// await phone.wait(until: { _ in jpush.alias(of: phone) == "ann" })
/// await jpush.push(["aps": ["alert": "Hello Ann"]], to: .alias("ann"))
/// ```
///
/// A device belongs to one installation of an app on one phone. The REST interface, the reports and the geofences of JPush are not
/// here: run `posthorn sandbox` for these.
public final class TestJPush: Sendable {
    /// The value of an app's `PosthornLink`: `InstalledApp(bundleID: …, link: TestJPush.url)`.
    public static let url = "ws://jpush.test/sdk"

    let state = Mutex(TestJPushState())

    /// Creates a service without devices.
    public init() {}

    // MARK: Phones

    /// Lets the apps of a phone reach the service.
    public func serve(_ phone: TestPhone) {
        let isReachable = state.withLock { state in
            let key = ObjectIdentifier(phone)
            // A phone that is gone may have had the same key.
            if state.phones[key]?.phone !== phone { state.devices.removeAll { $0.phone == key } }
            state.phones[key] = WeakPhone(phone: phone)
            return state.isReachable
        }
        connect(phone, isReachable)
    }

    /// Makes the service reachable or not, as if its network was gone. Open links end.
    public func setReachable(_ isReachable: Bool) {
        let (phones, links) = state.withLock { state in
            state.isReachable = isReachable
            return (state.phones.values.compactMap(\.phone), isReachable ? [] : state.takeLinks())
        }
        for phone in phones { connect(phone, isReachable) }
        for link in links { link.close() }
    }

    private func connect(_ phone: TestPhone, _ isReachable: Bool) {
        phone.dialer.serve(Self.url, isReachable ? TestJPushDoor(service: self, phone: phone) : nil)
    }

    // MARK: What the app has set

    /// Returns the registration id of an app on a phone; nil before it has registered.
    ///
    /// - Parameters:
    ///   - phone: the phone.
    ///   - app: the app; nil for the only one on the phone that uses JPush.
    /// - Returns: the registration id.
    public func registrationID(of phone: TestPhone, app: InstalledApp? = nil) -> String? {
        device(phone, app)?.registrationID
    }

    /// Returns the tags of an app on a phone, sorted; empty before it has registered.
    public func tags(of phone: TestPhone, app: InstalledApp? = nil) -> [String] {
        device(phone, app)?.tags.sorted() ?? []
    }

    /// Returns the alias of an app on a phone; nil for none.
    public func alias(of phone: TestPhone, app: InstalledApp? = nil) -> String? { device(phone, app)?.alias }

    /// Returns the badge number that an app has reported; nil if it has reported none.
    public func badge(of phone: TestPhone, app: InstalledApp? = nil) -> Int? { device(phone, app)?.badge }

    /// Returns the phone number for text messages; nil for none.
    public func mobileNumber(of phone: TestPhone, app: InstalledApp? = nil) -> String? { device(phone, app)?.mobile }

    /// Returns the APNs token that an app has reported; nil for none.
    public func token(of phone: TestPhone, app: InstalledApp? = nil) -> DeviceToken? { device(phone, app)?.token }

    /// Returns the PushKit token that an app has reported (`registerVoipToken`); nil for none.
    public func voIPToken(of phone: TestPhone, app: InstalledApp? = nil) -> DeviceToken? {
        device(phone, app)?.voIPToken
    }

    /// Returns whether push is switched on in an app; false before it has registered.
    public func isPushOn(of phone: TestPhone, app: InstalledApp? = nil) -> Bool { device(phone, app)?.isOn ?? false }

    /// Returns whether an app on a phone is connected at this moment.
    public func isConnected(_ phone: TestPhone, app: InstalledApp? = nil) -> Bool { device(phone, app)?.link != nil }

    private func device(_ phone: TestPhone, _ app: InstalledApp?) -> TestJPushDevice? {
        state.withLock { state in
            state.devices.first { $0.phone == ObjectIdentifier(phone) && (app == nil || $0.bundleID == app?.bundleID) }
        }
    }

    // MARK: Failures

    /// The failure of requests that an app makes about its device.
    public enum Failure: Hashable, Sendable {
        /// The service answers with this code of the SDK, `6002` (timeout) or `6011` (too frequent) for instance.
        case code(Int)
        /// The service answers, but later: after this time on the phone's clock.
        case delay(Duration)
        /// The service does not answer.
        case silence
    }

    /// Makes the requests of all apps fail from now on: for tags, alias, badge, number and push switch. Tokens and receipts arrive.
    ///
    /// - Parameter failure: the failure; nil ends it.
    public func setFailure(_ failure: Failure?) { state.withLock { $0.failure = failure } }

    /// Refuses registrations and logins from now on.
    ///
    /// - Parameter code: the SDK's code, `1005` (unknown app key), `1008` (malformed app key) or `1009` (another bundle id) for instance;
    ///   nil accepts them again.
    public func setRefusal(code: Int?) { state.withLock { $0.refusal = code } }
}

/// A phone that the service does not keep.
struct WeakPhone {
    weak var phone: TestPhone?
}
