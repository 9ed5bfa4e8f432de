import Crypto
import Foundation
import PushModel

/// The binding of device ids to keys. Only a digest of each key is stored, so access to the gateway's memory or files does
/// not allow anyone to impersonate a device. The keys are random, so a digest without salt reveals nothing.
///
/// Each device has a number, from 0 in the order of their first connections, by which channels refer to it.
struct DeviceKeys {
    private var numbers: [String: UInt32] = [:]
    private var devices: [String] = []
    private var digests: [SIMD4<UInt64>] = []

    enum Finding: Hashable {
        /// The id was unknown and is now bound to the key.
        case bound(digest: [UInt8])
        case matches
        case differs
    }

    mutating func check(_ device: String, _ key: String) -> Finding {
        let digest = Array(SHA256.hash(data: Data(key.utf8)))
        guard let number = numbers[device] else {
            restore(device, digest)
            return .bound(digest: digest)
        }
        return digests[Int(number)] == Self.words(digest) ? .matches : .differs
    }

    /// Binds an id to the key with this digest of 32 bytes.
    mutating func restore(_ device: String, _ digest: [UInt8]) {
        if let number = numbers[device] {
            digests[Int(number)] = Self.words(digest)
            return
        }
        numbers[device] = UInt32(devices.count)
        devices.append(device)
        digests.append(Self.words(digest))
    }

    /// The number of a device; nil if it has never connected.
    func number(of device: String) -> UInt32? { numbers[device] }

    /// The id of the device with this number.
    func device(_ number: UInt32) -> String { devices[Int(number)] }

    var records: [MailRecord] { devices.indices.map { .device(devices[$0], keyDigest: Self.bytes(digests[$0])) } }

    private static func words(_ digest: [UInt8]) -> SIMD4<UInt64> {
        var words = SIMD4<UInt64>()
        for (place, byte) in digest.prefix(32).enumerated() {
            words[place / 8] |= UInt64(byte) << (56 - 8 * (place % 8))
        }
        return words
    }

    private static func bytes(_ words: SIMD4<UInt64>) -> [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> (56 - 8 * UInt64($0 % 8))) }
    }
}

/// The latest of many elements: once there are enough, each new one replaces the oldest.
struct Ring<Element> {
    private(set) var elements: [Element] = []
    /// The index of the oldest element, once there are enough.
    private var oldest = 0

    /// The elements, oldest first.
    var inOrder: [Element] { Array(elements[oldest...] + elements[..<oldest]) }

    /// Adds an element to at most `capacity`.
    ///
    /// - Returns: the element that it replaces.
    @discardableResult
    mutating func append(_ element: Element, capacity: Int) -> Element? {
        guard elements.count >= capacity else {
            elements.append(element)
            return nil
        }
        defer { oldest = (oldest + 1) % capacity }
        return exchange(&elements[oldest], with: element)
    }
}

extension Ring: Sendable where Element: Sendable {}
