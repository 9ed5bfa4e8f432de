#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

/// Result codes that the SDK gives itself.
///
/// Source: JPush iOS SDK documentation, client result codes.
enum ResultCode {
    static let nothingToSet = 6001
    static let noProperties = 6036
    static let geofenceUnknown = 7001

    static func error(_ code: Int) -> any Error {
        NSError(domain: "JPUSHErrorDomain", code: code)
    }
}

#endif
