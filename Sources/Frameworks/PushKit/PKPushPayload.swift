public import Foundation

/// A push.
open class PKPushPayload: NSObject {
    /// The type of the push.
    open var type: PKPushType { values.type }
    /// The whole payload: numbers and booleans are `NSNumber`, null is `NSNull`.
    open var dictionaryPayload: [AnyHashable: Any] { values.payload }

    private let values: (type: PKPushType, payload: [AnyHashable: Any])

    /// Creates an empty push, for subclasses in tests.
    public override init() { values = (PKPushType(rawValue: ""), [:]) }

    init(type: PKPushType, dictionaryPayload: [AnyHashable: Any]) { values = (type, dictionaryPayload) }
}
