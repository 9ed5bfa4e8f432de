import Crypto
import CryptoExtras
package import PushModel

/// Converts between (message, device) and an apns-id without a table, so that a repeated send has the same id and a device's
/// report can be matched to its push.
///
/// One AES-256 block: 8 bytes message, 4 bytes ordinal, 4 zero bytes that identify the service's own ids.
package struct APNsIDCodec: Sendable {
    private let key: SymmetricKey

    package init(_ keys: ServiceKeys) { key = keys.apnsIDs }

    /// Returns the apns-id as a UUID in canonical form, in lower case.
    package func apnsID(of message: MessageID, to ordinal: DeviceOrdinal) -> String {
        Self.text(of: identifier(of: message, to: ordinal))
    }

    /// Returns the apns-id as the two halves of the UUID.
    package func identifier(of message: MessageID, to ordinal: DeviceOrdinal) -> (high: UInt64, low: UInt64) {
        var block = [UInt8](repeating: 0, count: 16)
        for place in 0..<8 { block[place] = UInt8(truncatingIfNeeded: message.number >> Int64(56 - 8 * place)) }
        for place in 0..<4 { block[8 + place] = UInt8(truncatingIfNeeded: ordinal >> UInt32(24 - 8 * place)) }
        do { try AES.permute(&block, key: key) } catch { preconditionFailure("AES refused its own block: \(error)") }
        func word(_ start: Int) -> UInt64 { (start..<start + 8).reduce(0) { $0 << 8 | UInt64(block[$1]) } }
        return (word(0), word(8))
    }

    package static func text(of identifier: (high: UInt64, low: UInt64)) -> String {
        let digits = Array((identifier.high.bigEndianBytes + identifier.low.bigEndianBytes).hexadecimal)
        return [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
            .map { String($0) }.joined(separator: "-")
    }

    /// Returns the message and device of an apns-id; nil for an id that this service did not create.
    package func identity(of apnsID: String) -> (message: MessageID, ordinal: DeviceOrdinal)? {
        guard var block = [UInt8](hexadecimal: apnsID.replacing("-", with: "")), block.count == 16 else { return nil }
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
