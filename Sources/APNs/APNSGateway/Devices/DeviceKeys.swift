import Crypto
import Foundation
import PushModel

/// The binding of device ids to keys. Only a digest of each key is stored, so access to the gateway's memory or files does
/// not allow anyone to impersonate a device. The keys are random, so a digest without salt reveals nothing.
struct DeviceKeys {
    private var digests: [String: [UInt8]] = [:]

    enum Finding: Hashable {
        /// The id was unknown and is now bound to the key.
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

/// The apns-ids of the pushes last sent to a device; they show which of its events are genuine.
struct SentPushes {
    /// The number of ids that are kept: more than a device usually reports on at a time. Its mailboxes' memory counts too.
    private static let memory = 256

    private var ids: [APNSID] = []
    /// The index of the oldest id, once the memory is full.
    private var oldest = 0

    mutating func add(_ id: APNSID) {
        if ids.count < Self.memory {
            ids.append(id)
        } else {
            ids[oldest] = id
            oldest = (oldest + 1) % Self.memory
        }
    }

    func contains(_ id: APNSID) -> Bool { ids.contains(id) }
}
