import Foundation
package import PushModel

/// The answer to a push.
package struct PushResult: Hashable, Sendable {
    package var messageID: MessageID
    package var sendno: UInt32

    package init(messageID: MessageID, sendno: UInt32) {
        self.messageID = messageID
        self.sendno = sendno
    }

    /// The JSON object `{"sendno":"…","msg_id":"…"}`: exactly these two members, as strings.
    package var json: JSONValue { ["sendno": .string(String(sendno)), "msg_id": .string(messageID.description)] }

    /// The bytes of ``json``, written without it for the many pushes that are answered alike.
    package var jsonBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        bytes.append(contentsOf: #"{"sendno":""#.utf8)
        bytes.appendDecimal(Int64(sendno))
        bytes.append(contentsOf: #"","msg_id":""#.utf8)
        bytes.appendDecimal(messageID.number)
        bytes.append(contentsOf: #""}"#.utf8)
        return bytes
    }
}
