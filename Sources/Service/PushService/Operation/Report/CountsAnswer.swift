/// The counts of a part of a push as the API shows them; all are null for an unknown push.
package struct CountsAnswer: Codable, Sendable {
    package let counts: DeliveryCounts?

    init(_ counts: DeliveryCounts?) { self.counts = counts }

    package init(from decoder: any Decoder) throws { counts = try? DeliveryCounts(from: decoder) }

    package func encode(to encoder: any Encoder) throws {
        if let counts { return try counts.encode(to: encoder) }
        var container = encoder.container(keyedBy: DeliveryCounts.CodingKeys.self)
        for key in DeliveryCounts.CodingKeys.allCases { try container.encodeNil(forKey: key) }
    }
}
