/// A device's identity at the service.
public struct Registration: Hashable, Sendable, Codable {
    /// The registration id, with which backends address the device.
    public var id: String
    /// The device's secret. Only this device knows it.
    public var secret: String
    /// The number of the device's user at the service; nil if the service names none.
    public var userID: Int64?

    /// Creates an identity.
    public init(id: String, secret: String, userID: Int64? = nil) {
        self.id = id
        self.secret = secret
        self.userID = userID
    }
}
