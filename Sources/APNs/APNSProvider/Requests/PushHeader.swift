package import APNSTransport
package import PushModel

/// A header field of a push. This is the one list of them: batches, single pushes and the shared heads of requests follow from it.
///
/// Each case has the name of its member of `APNSHeaders`.
package enum PushHeader: CaseIterable, Sendable {
    case topic
    case pushType
    case priority
    case expiration
    case collapseID

    /// The headers that change from push to push, and would fill a connection's header table if they were in the shared head.
    static let own: [PushHeader] = [.expiration, .collapseID]

    package var field: FieldName {
        switch self {
        case .topic: .topic
        case .pushType: .pushType
        case .priority: .priority
        case .expiration: .expiration
        case .collapseID: .collapseID
        }
    }

    /// Returns the value on the wire; nil if the field is left out.
    func value(in headers: APNSHeaders) -> String? {
        switch self {
        case .topic: headers.topic
        case .pushType: headers.pushType.rawValue
        case .priority: headers.priority?.description
        case .expiration: headers.expiration?.description
        case .collapseID: headers.collapseID
        }
    }
}

extension APNSHeaders {
    /// The headers without those that change from push to push (``PushHeader/own``).
    package var shared: APNSHeaders {
        var shared = self
        shared.expiration = nil
        shared.collapseID = nil
        return shared
    }

    /// Returns the header fields, in the order of the wire.
    func fields(_ token: ProviderTokens.Token?) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let token { fields.append((name: "authorization", value: "bearer \(token.text)")) }
        for header in PushHeader.allCases {
            guard let value = header.value(in: self) else { continue }
            fields.append((name: FieldCatalog.shared.text(of: header.field), value: value))
        }
        return fields
    }
}
