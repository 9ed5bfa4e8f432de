import Crypto
import Foundation

/// Which device id belongs to which key. Of a key only a digest is kept: who reads the gateway's memory or its files cannot speak for a
/// device. The keys are random, so that a digest without salt gives nothing away.
struct DeviceKeys {
    private var digests: [String: [UInt8]] = [:]

    enum Finding: Hashable {
        /// The id was not known, and is the key's from now on.
        case bound(digest: [UInt8])
        case matches
        case differs
    }

    mutating func check(_ device: String, _ key: String) -> Finding {
        let digest = Array(SHA256.hash(data: Data(key.utf8)))
        guard let known = digests[device] else {
            digests[device] = digest
            return .bound(digest: digest)
        }
        return known == digest ? .matches : .differs
    }

    mutating func restore(_ device: String, _ digest: [UInt8]) { digests[device] = digest }

    var records: [MailRecord] { digests.map { .device($0.key, keyDigest: $0.value) } }
}

/// The apns-ids of the pushes that a device was sent last, by which its events are known for its own.
struct SentPushes {
    /// More than a device usually has news of at a time. What its mailboxes remember counts too.
    private static let memory = 256

    private var ids: [PushID] = []
    /// Where the oldest stands, once it is full.
    private var oldest = 0

    mutating func add(_ id: PushID) {
        if ids.count < Self.memory {
            ids.append(id)
        } else {
            ids[oldest] = id
            oldest = (oldest + 1) % Self.memory
        }
    }

    func contains(_ id: PushID) -> Bool { ids.contains(id) }
}
