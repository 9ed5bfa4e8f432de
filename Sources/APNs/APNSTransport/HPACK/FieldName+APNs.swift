extension FieldName {
    /// The texts of the cases from ``authorization``, in their order.
    static let texts = [
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
