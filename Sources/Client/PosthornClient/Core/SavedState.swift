import Foundation

/// The part of the client's state that outlives a process.
struct SavedState: Hashable, Sendable, Codable {
    struct Queued: Hashable, Sendable, Codable {
        var number: Int
        var operation: DeviceOperation
    }

    /// The number of operations that are kept for a service that cannot be reached; the oldest beyond it are dropped.
    static let mostOperations = 100
    /// The number of receipts that are kept.
    static let mostReceipts = 1000
    /// The number of sent receipts that are recognised when they are reported again.
    static let mostRemembered = 200

    /// The random name of this installation.
    var installation: String
    var appKey: String
    var registration: Registration?
    /// Whether the service may know this installation: a registration was sent, and no end of it confirmed.
    var mayBeRegistered = false
    /// The values as the app wants them to be.
    var wanted: DeviceValues?
    /// The values that the service has confirmed.
    var known: DeviceValues?
    var queue: [Queued] = []
    var receipts: [Receipt] = []
    /// Receipts that the service has, oldest first.
    var reported: [Receipt] = []
    /// The position of the last custom message that was handed to the app.
    var position: Int64?
    /// Whether pushes are switched off.
    var isPushOff = false
    /// Whether the app has asked to unregister.
    var isLeaving = false
    /// The number of the last operation.
    var lastNumber = 0

    init(installation: String, appKey: String) {
        self.installation = installation
        self.appKey = appKey
    }

    /// Reads the state of this version or another one: what is missing has its first value, so that an update of the app never
    /// costs the identity.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        installation = try values.decode(String.self, forKey: .installation)
        appKey = try values.decode(String.self, forKey: .appKey)
        registration = try values.given(.registration)
        mayBeRegistered = try values.given(.mayBeRegistered) ?? (registration != nil)
        wanted = try? values.given(.wanted)
        known = try? values.given(.known)
        queue = (try? values.given(.queue)) ?? []
        receipts = (try? values.given(.receipts)) ?? []
        reported = (try? values.given(.reported)) ?? []
        position = try values.given(.position)
        isPushOff = try values.given(.isPushOff) ?? false
        isLeaving = try values.given(.isLeaving) ?? false
        lastNumber = try values.given(.lastNumber) ?? 0
    }

    /// Adds a receipt, unless the same event of the push was reported before.
    ///
    /// - Returns: whether it is new.
    mutating func add(_ receipt: Receipt) -> Bool {
        guard !receipts.contains(where: receipt.isSame(as:)), !reported.contains(where: receipt.isSame(as:)) else {
            return false
        }
        receipts.append(receipt)
        if receipts.count > Self.mostReceipts { receipts.removeFirst() }
        return true
    }

    /// Moves sent receipts to those that are recognised.
    mutating func settle(_ sent: [Receipt]) {
        receipts.removeAll { receipt in sent.contains(where: receipt.isSame(as:)) }
        reported += sent
        if reported.count > Self.mostRemembered { reported.removeFirst(reported.count - Self.mostRemembered) }
    }

    /// Forgets everything that belongs to an identity, after it was deleted.
    mutating func leave() {
        var next = SavedState(installation: installation, appKey: appKey)
        next.wanted = wanted
        next.isLeaving = true
        next.lastNumber = lastNumber
        self = next
    }
}

extension KeyedDecodingContainer {
    /// The value of a key that an older version may not have written; nil without one.
    func given<Value: Decodable>(_ key: Key) throws -> Value? { try decodeIfPresent(Value.self, forKey: key) }
}
