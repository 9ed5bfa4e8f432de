/// A push to one device, as sent to APNs. Its headers can be read and set as members of the push.
@dynamicMemberLookup
public struct APNSPush: Hashable, Sendable {
    /// A UUID in the form 8-4-4-4-12; identifies the push from the service to the device.
    public var id: String
    /// The device token.
    public var token: DeviceToken
    /// The headers besides the id.
    public var headers: APNSHeaders
    /// The payload, JSON in UTF-8.
    public var payload: [UInt8]

    /// Creates a push. Nothing is checked before it is sent.
    public init(id: String, token: DeviceToken, headers: APNSHeaders, payload: [UInt8]) {
        self.id = id
        self.token = token
        self.headers = headers
        self.payload = payload
    }

    /// Creates a push from the values of its headers. Nothing is checked before it is sent.
    public init(
        id: String,
        token: DeviceToken,
        topic: String?,
        pushType: APNSPushType = .alert,
        priority: APNSPriority? = nil,
        expiration: APNSExpiration? = nil,
        collapseID: String? = nil,
        payload: [UInt8]
    ) {
        let headers = APNSHeaders(
            topic: topic,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID
        )
        self.init(id: id, token: token, headers: headers, payload: payload)
    }

    /// The value of a header.
    public subscript<Value>(dynamicMember header: WritableKeyPath<APNSHeaders, Value>) -> Value {
        get { headers[keyPath: header] }
        set { headers[keyPath: header] = newValue }
    }
}
