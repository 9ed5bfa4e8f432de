import PushModel

/// The SDK's places in the app's store.
enum StoreKey: String, CaseIterable, Sendable {
    case identity = "cn.jpush.identity"
    /// Of the last custom message that the app was told.
    case position = "cn.jpush.position"
    /// In-app messages that were not shown yet.
    case inApp = "cn.jpush.in-app"
    case requests = "cn.jpush.requests"
    case receipts = "cn.jpush.receipts"
    /// Left by the service extension, for the app.
    case extensionReceipts = "cn.jpush.receipts.extension"
}

/// What an earlier process left in the app's store.
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

/// Positions count within one registration.
struct StoredPosition: Hashable, Sendable {
    var registrationID: String
    var position: Int64

    init(registrationID: String, position: Int64) {
        self.registrationID = registrationID
        self.position = position
    }

    /// Nil if the store holds something else.
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
