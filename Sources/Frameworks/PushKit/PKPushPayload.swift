public import Foundation

/// A push.
open class PKPushPayload: NSObject {
    /// The type of the push.
    public let type: PKPushType
    /// The whole payload: numbers and booleans are `NSNumber`, null is `NSNull`.
    public let dictionaryPayload: [AnyHashable: Any]

    init(type: PKPushType, dictionaryPayload: [AnyHashable: Any]) {
        self.type = type
        self.dictionaryPayload = dictionaryPayload
    }
}
