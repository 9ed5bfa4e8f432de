#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

// Properties are a paid feature of the vendor's own service: Posthorn's answers as one without it does.

extension JPUSHService {
    /// Answers with code 6036: the service has no properties.
    public class func setProperties(
        _ properties: [AnyHashable: Any]!,
        completion: JPUSHPropertiesOperationCompletion!,
        seq: Int
    ) {
        answer(completion, seq)
    }

    /// Answers with code 6036: the service has no properties.
    public class func deleteProperties(
        _ properties: _Tags!,
        completion: JPUSHPropertiesOperationCompletion!,
        seq: Int
    ) {
        answer(completion, seq)
    }

    /// Answers with code 6036: the service has no properties.
    public class func cleanProperties(_ completion: JPUSHPropertiesOperationCompletion!, seq: Int) {
        answer(completion, seq)
    }

    private class func answer(_ completion: JPUSHPropertiesOperationCompletion?, _ seq: Int) {
        let code = client.admitsLabels() ? ResultCode.noProperties : ResultCode.tooOften
        client.warn("properties: code \(code), \(ResultCode.text(code)).")
        client.onMain { completion?(code, [:], seq) }
    }
}

// Posthorn's own additions.
extension JPUSHService {
    /// Sets texts for the variables of alerts, such as `{{first_name|there}}`.
    ///
    /// - Parameters:
    ///   - attributes: the texts by name; an empty one removes its attribute, and others stay.
    ///   - completion: receives nil on success; otherwise the error's code is a client result code.
    public class func setAttributes(_ attributes: [String: String]!, completion: (((any Error)?) -> Void)!) {
        client.request(.setAttributes(attributes ?? [:])) { completion?(ResultError.of($0)) }
    }

    /// Replaces the topics whose notifications the user declines.
    ///
    /// - Parameters:
    ///   - topics: the names of the topics.
    ///   - completion: receives all topics of the app with whether they are declined, or an error whose code is a client result code.
    public class func declineTopics(
        _ topics: [String]!,
        completion: (([String: Bool]?, (any Error)?) -> Void)!
    ) {
        client.request(.declineTopics(topics ?? [])) { completion?($0.topics, ResultError.of($0)) }
    }

    /// Asks for the topics of the app.
    ///
    /// - Parameter completion: receives the topics with whether they are declined, or an error whose code is a client result code.
    public class func getTopics(_ completion: (([String: Bool]?, (any Error)?) -> Void)!) {
        client.request(.getTopics) { completion?($0.topics, ResultError.of($0)) }
    }
}

extension JPUSHService {
    /// Stores the device's badge in the service as the base of a push with `"+1"`; the icon does not change.
    ///
    /// - Parameter value: 0 to 99999.
    /// - Returns: false for any other number; nothing is sent in that case.
    @discardableResult
    public class func setBadge(_ value: Int) -> Bool {
        guard 0...99_999 ~= value else { return false }
        client.send(.setBadge(value))
        return true
    }

    /// Sets the badge at the service to 0.
    public class func resetBadge() { setBadge(0) }

    /// Sets the number for text messages; at most 3 calls in 10 seconds (6011).
    ///
    /// - Parameters:
    ///   - mobileNumber: `+` or a digit, then digits and `-`, at most 20 characters; nil or empty for none.
    ///   - completion: receives nil on success; otherwise the error's code is a client result code.
    public class func setMobileNumber(_ mobileNumber: _Text!, completion: (((any Error)?) -> Void)!) {
        let number = TagRules.text(mobileNumber).flatMap { $0.isEmpty ? nil : $0 }
        let code = number.map { TagRules.code(mobile: $0) } ?? 0
        guard code == 0 else { return client.onMain { completion?(ResultError.make(code)) } }
        client.request(.setMobile(number)) { completion?(ResultError.of($0)) }
    }
}

#endif
