import Crypto
import Foundation
import PushModel

/// The request that tells a callback address of events.
///
/// The body is `{"app_key","msg_id","params","events":[{"registration_id","type","part","time"}]}`, with the time in milliseconds
/// since 1970. `X-Posthorn-Signature` is `v1=` and the HMAC-SHA256, in hexadecimal digits, of the value of
/// `X-Posthorn-Timestamp`, a full stop and the body. Its key is the SHA-256 of the app's master secret. While secrets before it are valid
/// too, `X-Posthorn-Signature-Former` has the same with each of those, separated by commas.
struct CallbackRequest {
    let body: [UInt8]
    let fields: [(name: String, value: String)]

    /// Writes the events of a batch, signed now, with the registration ids of its devices.
    init(_ batch: CallbackBatch, of app: App, at now: Date, name: (DeviceID) -> RegistrationID) {
        let events = batch.events.flatMap { row in
            row.ordinals.map { ordinal -> JSONValue in
                [
                    "registration_id": .string(name(DeviceID(app: app.id, ordinal: ordinal)).text),
                    "type": .integer(row.kind.rawValue), "part": .string(row.part.rawValue),
                    "time": .integer(row.date.milliseconds),
                ]
            }
        }
        let object: JSONObject = [
            "app_key": .string(app.key.text), "msg_id": .string(batch.message.description),
            "params": .object(batch.callback.params), "events": .array(events),
        ]
        body = JSONValue.object(object).bytes
        fields = Self.signature(of: body, app, at: now)
    }

    /// Returns the header fields that sign a body with the secret of an app.
    static func signature(of body: [UInt8], _ app: App, at now: Date) -> [(name: String, value: String)] {
        let timestamp = String(Int64(now.timeIntervalSince1970))
        func signature(by secret: SecretHash) -> String {
            var hmac = HMAC<SHA256>(key: SymmetricKey(data: secret.bytes))
            hmac.update(data: Array((timestamp + ".").utf8))
            hmac.update(data: body)
            return "v1=" + Array(hmac.finalize()).hexadecimal
        }
        var fields = [("X-Posthorn-Timestamp", timestamp), ("X-Posthorn-Signature", signature(by: app.secretHash))]
        let former = app.formerSecrets(at: now).map { signature(by: $0.hash) }
        if !former.isEmpty { fields.append(("X-Posthorn-Signature-Former", former.joined(separator: ","))) }
        return fields
    }
}
