public import Foundation

/// A token for pushes of one type.
open class PKPushCredentials: NSObject {
    /// The type of push that the token is for.
    open var type: PKPushType { values.type }
    /// The token, to send to the server that sends the pushes.
    open var token: Data { values.token }

    private let values: (type: PKPushType, token: Data)

    /// Creates credentials without a token, for subclasses in tests.
    public override init() { values = (PKPushType(rawValue: ""), Data()) }

    init(type: PKPushType, token: Data) { values = (type, token) }
}
