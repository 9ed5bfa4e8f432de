import DeviceLink
import PushModel

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
        object["registration-id"] = identity.map { .string($0.registrationID) }
        object["secret"] = identity.map { .string($0.secret) }
        object["user-id"] = identity.map { .integer($0.userID) }
        if isStopped { object["stopped"] = true }
        return JSONValue.object(object).text
    }
}
