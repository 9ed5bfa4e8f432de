import PushModel
import Testing

@Suite("Device token")
struct DeviceTokenTests {
    @Test("Refuses what is not an even run of hex digits", arguments: ["", "abc", "zz", "ab cd", "0x12", "１２"])
    func refuses(_ text: String) {
        #expect(DeviceToken(text) == nil)
    }

    @Test("Reads both cases and any length, and writes lower case")
    func reads() throws {
        let token = try #require(DeviceToken("00FFabCD1234567890"))
        #expect(token.bytes == [0x00, 0xFF, 0xAB, 0xCD, 0x12, 0x34, 0x56, 0x78, 0x90])
        #expect(token.hexadecimal == "00ffabcd1234567890")
        #expect(token.abbreviation == "00ffabcd")
        #expect(DeviceToken(String(repeating: "ab", count: 100))?.bytes.count == 100)
    }
}

@Suite("Identifiers")
struct IdentifierTests {
    @Test("A msg_id is decimal digits within 64 bits")
    func messageID() {
        #expect(MessageID("1828256757")?.number == 1_828_256_757)
        #expect(MessageID("9223372036854775807")?.number == .max)
        for text in ["", "9223372036854775808", "-1", "+1", "1.0", "１", "a"] {
            #expect(MessageID(text) == nil, "\(text)")
        }
    }

    @Test("An app key is 24 letters or digits", arguments: [23, 24, 25])
    func appKey(_ length: Int) {
        #expect((AppKey(String(repeating: "a", count: length)) != nil) == (length == 24))
        #expect(AppKey(String(repeating: "a", count: 23) + "-") == nil)
        #expect(AppKey(String(repeating: "é", count: 12)) == nil)
    }

    @Test("A registration id is 1 to 64 letters and digits")
    func registrationID() {
        #expect(RegistrationID("")?.text == nil)
        #expect(RegistrationID("010b81b3582")?.text == "010b81b3582")
        #expect(RegistrationID(String(repeating: "0", count: 65)) == nil)
        #expect(RegistrationID("a b") == nil)
    }
}

@Suite("Tags and aliases")
struct TagTests {
    @Test(
        "Letters, digits, underscore, ideographs and the documented signs",
        arguments: ["a", "Z9_", "中文", "@!#$&*+=.|￥"]
    )
    func accepts(_ text: String) {
        #expect(JPushLimits.isTag(text))
    }

    @Test("Nothing else", arguments: ["", "a b", "a-b", "é", "😀", "a,b", "a%", "a\n", "a/b"])
    func refuses(_ text: String) {
        #expect(!JPushLimits.isTag(text))
    }

    @Test("Forty bytes of UTF-8 at most")
    func limitsBytes() {
        #expect(JPushLimits.isTag(String(repeating: "a", count: 40)))
        #expect(!JPushLimits.isTag(String(repeating: "a", count: 41)))
        #expect(JPushLimits.isTag(String(repeating: "中", count: 13)))
        #expect(!JPushLimits.isTag(String(repeating: "中", count: 14)))
    }
}

@Suite("Badge arithmetic")
struct BadgeChangeTests {
    @Test(
        "Sets, or adds to what is stored, within 0 and 99999",
        arguments: [
            (BadgeChange.set(7), 3, 7), (.set(0), 3, 0), (.add(1), 3, 4), (.add(-1), 3, 2), (.add(-9), 3, 0),
            (.add(0), 3, 3),
            (.add(99_999), 5, 99_999),
        ]
    )
    func applies(_ change: BadgeChange, _ stored: Int, _ result: Int) {
        #expect(change.applied(to: stored) == result)
    }
}

@Suite("APNs words")
struct APNSWordTests {
    @Test(
        "Each reason has Apple's status; one that is unknown here counts as 400",
        arguments: [
            (APNSReason.badDeviceToken, 400), (.expiredProviderToken, 403), (.badEnvironmentKeyInToken, 403),
            (.badPath, 404),
            (.methodNotAllowed, 405), (.unregistered, 410), (.expiredToken, 410), (.payloadTooLarge, 413),
            (.tooManyRequests, 429), (.internalServerError, 500), (.shutdown, 503), (APNSReason(rawValue: "New"), 400),
        ]
    )
    func status(_ reason: APNSReason, _ status: Int) {
        #expect(reason.status == status)
    }

    @Test("Push types add to the topic and limit the payload as Apple says")
    func pushTypes() {
        #expect(APNSPushType.voip.topicSuffix == ".voip")
        #expect(APNSPushType.liveactivity.topicSuffix == ".push-type.liveactivity")
        #expect(APNSPushType.alert.topicSuffix?.isEmpty == true)
        #expect(APNSPushType(rawValue: "Alert").topicSuffix == nil)
        #expect(APNSPushType.accessory.topicSuffix == ".push-type.accessory")
        #expect(APNSPushType.nowplaying.topicSuffix == ".push-type.nowplaying")
        #expect(APNSPushType.voip.payloadLimit == 5120)
        #expect(APNSPushType.background.payloadLimit == 4096)
    }
}
