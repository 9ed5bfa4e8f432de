import Foundation

/// Failures of files in words of people: Foundation describes its errors by domain, code and a list of members.
package enum FileWords {
    /// Returns a sentence about a failed reading or writing of a file, without a full stop; nil for an error of another kind.
    package static func sentence(of error: any Error) -> String? {
        guard let facts = Facts(error) else { return nil }
        let subject = facts.path.map { "'\($0)'" } ?? "the file"
        return "\(subject) cannot be \(facts.verb): \(facts.reason)"
    }

    /// Returns the system's reason of such a failure, such as "No space left on device"; nil for an error of another kind.
    package static func reason(of error: any Error) -> String? { Facts(error)?.reason }

    /// Returns what is known about an error in words: the reason of a failed file, or how the error describes itself.
    package static func described(_ error: any Error) -> String { sentence(of: error) ?? "\(error)" }

    private struct Facts {
        var reason: String
        var path: String?
        var verb: String

        init?(_ error: any Error) {
            let domain: String
            let code: Int
            let info: [String: Any]
            switch error {
            case let error as any CustomNSError:
                domain = type(of: error).errorDomain
                code = error.errorCode
                info = error.errorUserInfo
            // Some of Foundation are of this class.
            case let error as NSError:
                domain = error.domain
                code = error.code
                info = error.userInfo
            default: return nil
            }
            path = info[NSFilePathErrorKey] as? String ?? (info[NSURLErrorKey] as? URL)?.path(percentEncoded: false)
            if domain == POSIXError.errorDomain {
                reason = Self.words(ofNumber: code)
                verb = "used"
                return
            }
            guard domain == CocoaError.errorDomain else { return nil }
            if let cause = (info[NSUnderlyingErrorKey] as? any Error).flatMap(Facts.init) {
                reason = cause.reason
            } else if let number = Self.numbers[code] {
                reason = Self.words(ofNumber: Int(number))
            } else if code < 256 {
                // The cause of a failed write has the system's number in the domain of Foundation.
                reason = Self.words(ofNumber: code)
            } else {
                reason = "error \(code) of the file system"
            }
            switch code {
            case 4, 256..<512: verb = "read"
            case 512..<1024: verb = "written"
            default: verb = "used"
            }
        }

        /// The error numbers of the system by the codes of Foundation.
        private static let numbers: [Int: Int32] = [
            4: ENOENT, 257: EACCES, 260: ENOENT, 513: EACCES, 516: EEXIST, 640: ENOSPC, 642: EROFS,
        ]

        private static func words(ofNumber number: Int) -> String {
            unsafe String(cString: strerror(Int32(truncatingIfNeeded: number)))
        }
    }
}
