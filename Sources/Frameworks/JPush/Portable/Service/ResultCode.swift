#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

/// Result codes of the client, in addition to those of the service.
///
/// Source: JPush iOS SDK documentation, client result codes.
enum ResultCode {
    static let nothingToSet = 6001
    static let tooOften = 6011
    static let stopped = 6012
    static let forgotten = 6016
    static let tagsBusy = 6021
    static let aliasBusy = 6022
    static let phoneInvalid = 6023
    static let phoneLong = 6025
    static let noProperties = 6036
    static let geofenceUnknown = 7001

    /// Returns the human-readable reason.
    static func text(_ code: Int) -> String {
        switch code {
        case 1005: "the app key does not exist"
        case 1008: "the app key is malformed"
        case 1009: "the app key has no app with this bundle id"
        case 1011: "there is no registration id"
        case 6001: "there is nothing to set"
        case 6002: "the service did not answer in time"
        case 6003: "the alias contains an invalid character"
        case 6004: "the alias has more than 40 bytes"
        case 6005: "a tag contains an invalid character"
        case 6006: "a tag has more than 40 bytes"
        case 6007: "there are more than 1000 tags"
        case 6008: "the tags have too many bytes in total"
        case 6011: "too many calls in 10 seconds"
        case 6012: "the push service is stopped"
        case 6016: "the registration is no longer known"
        case 6018: "the device or the app has too many tags"
        case 6021: "the previous tag operation is not answered yet"
        case 6022: "the previous alias operation is not answered yet"
        case 6023: "the phone number contains an invalid character"
        case 6025: "the phone number has more than 20 characters"
        case 6027: "the alias has too many devices"
        case 6036: "properties are not enabled"
        case 7001: "there is no geofence with this id"
        default: "the service refused the request"
        }
    }
}

/// Errors with the client result codes.
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
