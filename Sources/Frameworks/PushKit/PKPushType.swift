import SystemPort

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
