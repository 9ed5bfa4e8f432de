public import Foundation

/// A token for pushes of one type.
open class PKPushCredentials: NSObject {
    /// The type of push that the token is for.
    public let type: PKPushType
    /// The token, to send to the server that sends the pushes.
    public let token: Data

    init(type: PKPushType, token: Data) {
        self.type = type
        self.token = token
    }
}
