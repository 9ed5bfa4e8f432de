import APNSTransport
package import Foundation
package import PushModel

/// A request of a provider and its answer, as the control endpoint shows them.
///
/// The header authorization is left out, because a provider token is a secret.
package struct RecordedPush: Sendable {
    /// The position in the order of arrival, counted from 1.
    package var number: Int
    package var date: Date
    package var environment: APNSEnvironment
    /// The number of the provider's connection.
    package var connection: Int
    package var path: String
    /// The request's headers in their order, names in lower case, without authorization.
    package var headers: [(name: String, value: String)]
    package var payload: [UInt8]
    /// The apns-id in lower case, the provider's or the gateway's, or the apns-request-id of a channel message; nil for a request
    /// that was not answered.
    package var apnsID: String?
    /// The status of the answer; nil if a fault has ended the request without one.
    package var status: Int?
    package var reason: APNSReason?

    /// Returns the first value of a header.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The device token in hexadecimal digits; nil for a request to another path.
    package var token: String? {
        path.hasPrefix(Self.devicePath) ? String(path.dropFirst(Self.devicePath.count)).lowercased() : nil
    }

    private static let devicePath = "/3/device/"

    /// The remarks on the payload of an accepted push to a device token: what a device ignores, drops or does not understand.
    package var cautions: [String] {
        guard status == 200, token != nil else { return [] }
        let type = header("apns-push-type").map(APNSPushType.init(rawValue:))
        return PayloadReview.remarks(
            on: payload,
            of: type ?? header("apns-topic").flatMap(APNSPushType.init(suffixOf:))
        )
    }

    /// The payload as text; bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: payload, as: UTF8.self) }
}

extension RecordedPush {
    var json: JSONObject {
        var object = JSONObject(present: [
            "number": number, "at": date.iso8601, "environment": environment, "connection": connection, "path": path,
            "apns-id": JSONValue.orNull(apnsID), "token": JSONValue.orNull(token),
            "status": JSONValue.orNull(status), "payload-bytes": payload.count,
            // A header may occur several times, which is what a 400 DuplicateHeaders is about.
            "headers": headers.map { [$0.name, $0.value] },
        ])
        if let payload = try? JSONValue(parsing: payload) {
            object["payload"] = payload
        } else {
            object["payload-base64"] = .string(Data(payload).base64EncodedString())
        }
        // Read once: each reading parses the payload.
        let cautions = cautions
        if !cautions.isEmpty { object["cautions"] = .strings(cautions) }
        guard let reason, let status else { return object }
        let advice = reason.advice(status: status)
        object.add(present: ["reason": reason.rawValue, "meaning": advice.meaning, "remedy": advice.remedy])
        return object
    }
}
