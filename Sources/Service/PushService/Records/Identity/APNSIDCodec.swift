import CryptoExtras
package import PushModel

/// Converts between (message, device) and an apns-id without a table, so that a repeated send has the same id and a device's
/// report can be matched to its push.
///
/// One AES-256 block: 8 bytes message, 4 bytes ordinal, 4 zero bytes that identify the service's own ids.
package struct APNSIDCodec: Sendable {
    private let key: SymmetricKey

    package init(_ keys: ServiceKeys) { key = keys.apnsIDs }

    /// Returns the apns-id of a message on a device.
    package func apnsID(of message: MessageID, to ordinal: DeviceOrdinal) -> APNSID {
        var block = [UInt8](repeating: 0, count: 16)
        for index in 0..<8 { block[index] = UInt8(truncatingIfNeeded: message.number >> Int64(56 - 8 * index)) }
        for index in 0..<4 { block[8 + index] = UInt8(truncatingIfNeeded: ordinal >> UInt32(24 - 8 * index)) }
        do { try AES.permute(&block, key: key) } catch { preconditionFailure("AES refused its own block: \(error)") }
        var id = APNSID(high: 0, low: 0)
        // Written here, because each push has an id.
        for index in 0..<8 {
            id.high = id.high << 8 | UInt64(block[index])
            id.low = id.low << 8 | UInt64(block[8 + index])
        }
        return id
    }

    /// Returns the message and device of an apns-id; nil for an id that this service did not create.
    package func identity(of apnsID: String) -> (message: MessageID, ordinal: DeviceOrdinal)? {
        guard let id = APNSID(apnsID) else { return nil }
        var block = id.high.bigEndianBytes + id.low.bigEndianBytes
        do { try AES.inversePermute(&block, key: key) } catch { return nil }
        guard block[12...].allSatisfy({ $0 == 0 }) else { return nil }
        return (MessageID(Int64(bigEndianBytes: block[0..<8])), DeviceOrdinal(bigEndianBytes: block[8..<12]))
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }

    init(bigEndianBytes bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
