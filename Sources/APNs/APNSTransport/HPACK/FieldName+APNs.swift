/// The header fields that provider and gateway read.
extension FieldName {
    package static let authorization = FieldName(rawValue: 16)
    package static let apnsID = FieldName(rawValue: 17)
    package static let topic = FieldName(rawValue: 18)
    package static let pushType = FieldName(rawValue: 19)
    package static let priority = FieldName(rawValue: 20)
    package static let expiration = FieldName(rawValue: 21)
    package static let collapseID = FieldName(rawValue: 22)
    package static let uniqueID = FieldName(rawValue: 23)
    package static let channelID = FieldName(rawValue: 24)
    package static let requestID = FieldName(rawValue: 25)
    package static let contentType = FieldName(rawValue: 26)
    package static let userAgent = FieldName(rawValue: 27)
    package static let host = FieldName(rawValue: 28)
    package static let accept = FieldName(rawValue: 29)
    package static let retryAfter = FieldName(rawValue: 30)
    package static let date = FieldName(rawValue: 31)

    /// The names in the order of the numbers above, which count up from ``firstListed``; at most 64.
    static let listed = [
        "authorization", "apns-id", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration",
        "apns-collapse-id", "apns-unique-id", "apns-channel-id", "apns-request-id", "content-type", "user-agent",
        "host", "accept", "retry-after", "date",
    ]
}

extension FieldNameSet {
    /// The fields that a request to APNs may have once.
    package static let single = FieldNameSet([
        .authorization, .apnsID, .topic, .pushType, .priority, .expiration, .collapseID, .channelID, .requestID,
    ])
}
