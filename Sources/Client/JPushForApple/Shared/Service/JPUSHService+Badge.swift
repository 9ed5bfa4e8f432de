#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

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
    public class func setMobileNumber(_ mobileNumber: String!, completion: (((any Error)?) -> Void)!) {
        let number = mobileNumber.flatMap { $0.isEmpty ? nil : $0 }
        let code = number.map { TagRules.code(mobile: $0) } ?? 0
        guard code == 0 else { return client.onMain { completion?(ResultError.make(code)) } }
        client.request(.setMobile(number)) { completion?(ResultError.of($0)) }
    }
}

enum ResultError {
    static let domain = "JPUSHErrorDomain"

    /// Returns the error of an answer; nil if it has none.
    static func of(_ answer: ServiceAnswer) -> (any Error)? {
        answer.code == 0 ? nil : make(answer.code, answer.message)
    }

    static func make(_ code: Int, _ message: String? = nil) -> any Error {
        NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: message ?? ResultCode.text(code)])
    }
}

#endif
