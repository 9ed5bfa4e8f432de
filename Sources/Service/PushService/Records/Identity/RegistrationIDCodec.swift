import CryptoExtras
package import PushModel

/// Converts between (app, device) and a registration id, so that a device can be found by its id without an index.
///
/// An id has 16 lower-case hexadecimal digits: a permutation of 64 bits (16 bits app, 32 bits ordinal, 16 zero bits that identify
/// the service's own ids) with four Feistel rounds and AES as the round function.
package struct RegistrationIDCodec: Sendable {
    private let key: SymmetricKey

    package init(_ keys: ServiceKeys) { key = keys.registrationIDs }

    package func registrationID(of device: DeviceID) -> RegistrationID {
        var left = UInt32(device.app) << 16 | device.ordinal >> 16
        var right = device.ordinal << 16
        var block = Self.block
        for round in 0..<Self.rounds { (left, right) = (right, left ^ mix(right, round, in: &block)) }
        guard let id = RegistrationID(left.bigEndianBytes.hexadecimal + right.bigEndianBytes.hexadecimal) else {
            preconditionFailure("Hexadecimal digits are a registration id.")
        }
        return id
    }

    /// Returns the device with this id; nil for an id that this service did not create.
    package func device(of registrationID: RegistrationID) -> DeviceID? {
        guard let (first, second) = Self.halves(of: registrationID) else { return nil }
        var left = first
        var right = second
        var block = Self.block
        for round in (0..<Self.rounds).reversed() { (left, right) = (right ^ mix(left, round, in: &block), left) }
        guard right & 0xFFFF == 0 else { return nil }
        return DeviceID(app: UInt16(left >> 16), ordinal: left << 16 | right >> 16)
    }

    private static let rounds: UInt8 = 4
    /// One block of AES, for all rounds: this runs for each push to an id.
    private static var block: [UInt8] { [UInt8](repeating: 0, count: 16) }

    private static func halves(of registrationID: RegistrationID) -> (UInt32, UInt32)? {
        let octets = registrationID.text.utf8
        guard octets.count == 16 else { return nil }
        var number: UInt64 = 0
        for octet in octets {
            guard let digit = octet.hexadecimalDigit else { return nil }
            number = number << 4 | UInt64(digit)
        }
        return (UInt32(truncatingIfNeeded: number >> 32), UInt32(truncatingIfNeeded: number))
    }

    private func mix(_ half: UInt32, _ round: UInt8, in block: inout [UInt8]) -> UInt32 {
        for place in 0..<4 { block[place] = UInt8(truncatingIfNeeded: half >> (24 - 8 * UInt32(place))) }
        block[4] = round
        for place in 5..<block.count { block[place] = 0 }
        do { try AES.permute(&block, key: key) } catch { preconditionFailure("AES refused its own block: \(error)") }
        return UInt32(block[0]) << 24 | UInt32(block[1]) << 16 | UInt32(block[2]) << 8 | UInt32(block[3])
    }
}
