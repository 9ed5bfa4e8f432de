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
        _ properties: Set<String>!,
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
        client.onMain { completion?(code, nil, seq) }
    }
}

#endif
