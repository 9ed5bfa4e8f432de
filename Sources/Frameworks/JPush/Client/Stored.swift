import DeviceLink
import PushModel

/// The SDK's keys in the app's store.
enum StoreKey: String, CaseIterable, Sendable {
    case identity = "cn.jpush.identity"
    /// The position of the last custom message delivered to the app.
    case position = "cn.jpush.position"
    /// In-app messages not shown yet.
    case inApp = "cn.jpush.in-app"
    case requests = "cn.jpush.requests"
    case receipts = "cn.jpush.receipts"
    /// The service extension's receipts, for the app.
    case extensionReceipts = "cn.jpush.receipts.extension"
}

/// The contents of the app's store left by an earlier process.
struct Stored: Sendable {
    var identity: StoredIdentity?
    var position: StoredPosition?
    var inApp: PendingInAppMessages
    var requests: DurableRequests
    var receipts: PendingReceipts
    var fromExtension: PendingReceipts

    init(_ texts: [StoreKey: String]) {
        identity = texts[.identity].flatMap { StoredIdentity(text: $0) }
        position = texts[.position].flatMap { StoredPosition(text: $0) }
        inApp = PendingInAppMessages(text: texts[.inApp])
        requests = DurableRequests(text: texts[.requests])
        receipts = PendingReceipts(text: texts[.receipts])
        fromExtension = PendingReceipts(text: texts[.extensionReceipts])
    }
}

/// A position, which is valid within one registration.
struct StoredPosition: Hashable, Sendable {
    var registrationID: String
    var position: Int64
}

extension StoredPosition {
    /// Returns nil if the store contains something else.
    init?(text: String) {
        guard let object = (try? JSONValue(parsing: text))?.object, let id = object["registration-id"]?.string,
            let position = object["position"]?.integer
        else { return nil }
        self.init(registrationID: id, position: position)
    }

    var text: String {
        JSONValue.object(["registration-id": .string(registrationID), "position": .integer(position)]).text
    }
}

/// The app's identity with the service, as stored in the app's store.
struct StoredIdentity: Hashable, Sendable {
    /// Generated once per installation.
    var installation: String
    var appKey: String
    var identity: SDKLinkClient.Identity?
    /// Whether the push switch is off.
    var isStopped = false
}

extension StoredIdentity {
    /// Returns nil if the store contains something else.
    init?(text: String) {
        guard let object = (try? JSONValue(parsing: text))?.object, let installation = object["installation"]?.string,
            let appKey = object["app-key"]?.string
        else { return nil }
        self.init(installation: installation, appKey: appKey, identity: nil)
        if let registrationID = object["registration-id"]?.string, let secret = object["secret"]?.string,
            let userID = object["user-id"]?.integer
        {
            identity = SDKLinkClient.Identity(registrationID: registrationID, secret: secret, userID: userID)
        }
        isStopped = object["stopped"]?.bool ?? false
    }

    var text: String {
        var object: JSONObject = ["installation": .string(installation), "app-key": .string(appKey)]
        object["registration-id"] = JSONValue(identity?.registrationID)
        object["secret"] = JSONValue(identity?.secret)
        object["user-id"] = JSONValue(identity?.userID)
        if isStopped { object["stopped"] = true }
        return JSONValue.object(object).text
    }
}
