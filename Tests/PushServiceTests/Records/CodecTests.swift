import Crypto
import Foundation
import PushModel
import PushService
import Testing

private let otherKeys = ServiceKeys(secret: SymmetricKey(data: Data(repeating: 8, count: 32)))

@Suite("Registration ids")
struct RegistrationIDCodecTests {
    private static let devices = [1, 2, 255, .max].flatMap { app in
        [0, 1, 2, 0xFFFF, 0x1_0000, 1_000_000, .max].map { DeviceID(app: app, ordinal: $0) }
    }

    @Test("Lead back to the device", arguments: devices)
    func roundTrip(_ device: DeviceID) {
        let codec = RegistrationIDCodec(testKeys)
        let id = codec.registrationID(of: device)
        #expect(codec.device(of: id) == device)
        #expect(id.text.utf8.count == 16)
        #expect(id.text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
    }

    @Test("Stay what they are: phones keep theirs for years")
    func pinned() throws {
        let device = DeviceID(app: 258, ordinal: 0x0304_0506)
        #expect(RegistrationIDCodec(testKeys).registrationID(of: device).text == "c86f86ecc4ed9309")
        #expect(RegistrationIDCodec(testKeys).device(of: try #require(RegistrationID("c86f86ecc4ed9309"))) == device)
    }

    @Test("Are distinct, and do not count up")
    func distinct() {
        let codec = RegistrationIDCodec(testKeys)
        let ids = (0..<5000).map { codec.registrationID(of: DeviceID(app: 1, ordinal: $0)).text }
        #expect(Set(ids).count == 5000)
        #expect(ids != ids.sorted())
        #expect(Set(ids.map { $0.prefix(4) }).count > 1000)
    }

    @Test("Ids of others, or made up, lead nowhere")
    func foreign() throws {
        let codec = RegistrationIDCodec(testKeys)
        let foreign = (0..<200).map { RegistrationIDCodec(otherKeys).registrationID(of: DeviceID(app: 1, ordinal: $0)) }
        // One in 65,536 would be taken for one of ours, by design.
        #expect(foreign.count { codec.device(of: $0) != nil } <= 1)
        for text in ["0", "010b81b3582", "zzzzzzzzzzzzzzzz", "00000000000000000", "0000000000000000"] {
            #expect(codec.device(of: try #require(RegistrationID(text))) == nil, "\(text)")
        }
    }
}

@Suite("apns-ids")
struct APNsIDCodecTests {
    @Test(
        "Lead back to message and device",
        arguments: [1, 1 << 51, 9_007_199_254_740_993, Int64.max],
        [0, 1, 4000, DeviceOrdinal.max]
    )
    func roundTrip(_ message: Int64, _ ordinal: DeviceOrdinal) throws {
        let codec = APNSIDCodec(testKeys)
        let id = codec.apnsID(of: MessageID(message), to: ordinal).text
        let identity = try #require(codec.identity(of: id))
        #expect(identity.message == MessageID(message))
        #expect(identity.ordinal == ordinal)
        #expect(codec.identity(of: id.uppercased())?.message == MessageID(message))
        #expect(UUID(uuidString: id)?.uuidString.lowercased() == id)
        #expect(codec.apnsID(of: MessageID(message), to: ordinal).text == id, "A repeated send has the same id.")
    }

    @Test("Are distinct by message and by device")
    func distinct() {
        let codec = APNSIDCodec(testKeys)
        let ids = (1...50).flatMap { message in (0..<50).map { codec.apnsID(of: MessageID(message), to: $0).text } }
        #expect(Set(ids).count == 2500)
    }

    @Test(
        "Ids of others, or made up, lead nowhere",
        arguments: [
            "", "x", "00000000-0000-0000-0000-000000000000", "123e4567-e89b-12d3-a456-426614174000", "123e4567",
            APNSIDCodec(otherKeys).apnsID(of: MessageID(1), to: 1).text,
        ]
    )
    func foreign(_ id: String) {
        #expect(APNSIDCodec(testKeys).identity(of: id) == nil)
    }
}

@Suite("Secrets")
struct SecretTests {
    @Test("A hash matches its secret alone")
    func hash() {
        let hash = SecretHash(of: "s3cret")
        #expect(hash.matches("s3cret"))
        #expect(!hash.matches("s3cre"))
        #expect(!hash.matches(""))
        #expect(!SecretHash(bytes: []).matches(""))
        #expect(!SecretHash(bytes: Array(hash.bytes.dropLast())).matches("s3cret"))
    }

    @Test("Sealed bytes open under the same keys, unchanged, and never otherwise")
    func seal() throws {
        let seal = CredentialSeal(testKeys)
        let secret = Array("-----BEGIN PRIVATE KEY-----".utf8)
        let place = SealedPlace.certificate(1, .development)
        let sealed = try seal.seal(secret, at: place)
        #expect(try seal.open(sealed, at: place) == secret)
        #expect(try seal.seal(secret, at: place) != sealed, "Each seal has a nonce of its own.")
        #expect(throws: (any Error).self) { try CredentialSeal(otherKeys).open(sealed, at: place) }
        for other in [.certificate(2, .development), .certificate(1, .production), .providerKey(1)] as [SealedPlace] {
            #expect(throws: (any Error).self) { try seal.open(sealed, at: other) }
        }
        var changed = sealed
        changed[changed.count - 1] ^= 1
        #expect(throws: (any Error).self) { try seal.open(changed, at: place) }
        #expect(throws: (any Error).self) { try seal.open([], at: place) }
    }

    @Test("Hexadecimal digits are as many as asked for", arguments: [0, 1, 24, 33])
    func digits(_ count: Int) {
        var generator = SystemRandomNumberGenerator()
        let text = generator.hexadecimalDigits(count)
        #expect(text.utf8.count == count)
        #expect(count < 24 || text != generator.hexadecimalDigits(count))
    }
}

@Suite("Packed lists")
struct PackedListTests {
    @Test(
        "Ordinals read back as they were packed",
        arguments: [
            [], [0], [0, 1, 2, 3], [127], [128], [0, 127, 255, 16_383, 16_384, 2_000_000, .max - 1, .max], [.max],
        ] as [[DeviceOrdinal]]
    )
    func ordinals(_ ordinals: [DeviceOrdinal]) {
        let list = OrdinalList(ordinals)
        #expect(OrdinalList(packed: list.packed).ordinals == ordinals)
        for (place, ordinal) in ordinals.enumerated() { #expect(list.place(of: ordinal) == place) }
        #expect(list.place(of: 77) == nil)
    }

    @Test("Neighbours cost a byte each")
    func packedSize() {
        #expect(OrdinalList(Array(0..<4000)).packed.count == 4000)
    }

    @Test("A place set holds what was put in, in any order")
    func places() {
        var places = PlaceSet()
        for place in [4000, 0, 7, 8, 4000] { places.insert(place) }
        #expect((0..<5000).filter { places.contains($0) } == [0, 7, 8, 4000])
        #expect(places.count == 4)
        #expect(PlaceSet(bytes: places.bytes) == places)
    }
}
