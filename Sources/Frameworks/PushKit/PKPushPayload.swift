public import Foundation
import SystemPort

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

/// A kind of push that PushKit delivers.
public struct PKPushType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Calls. The app must report a call with CallKit for each push.
    @available(iOS 9.0, *)
    public static let voIP = PKPushType(rawValue: "PKPushTypeVoIP")
    /// Updates of a watch's complication.
    @available(iOS 9.0, *)
    public static let complication = PKPushType(rawValue: "PKPushTypeComplication")
    /// Changes of a file provider.
    @available(iOS 11.0, *)
    public static let fileProvider = PKPushType(rawValue: "PKPushTypeFileProvider")

    var type: PushKitType? { PushKitType(rawValue: rawValue) }

    init(_ type: PushKitType) { self.init(rawValue: type.rawValue) }
}
