import PushModel
import Testing

/// Requests as libraries for JPush write them; each test is named after its library.
@Suite("What libraries for JPush send")
struct LibraryRequestTests {
    private func request(_ text: String) throws -> PushRequest { try PushRequest(parsing: Array(text.utf8)) }

    private func code(_ text: String) -> Int? {
        #expect(throws: JPushError.self) { try request(text) }?.code
    }

    @Test(
        "The library for Node draws a sendno of 32 bits without a sign for every push",
        arguments: [0, 1, 2_147_483_647, 2_147_483_648, 4_294_967_294, 4_294_967_295] as [UInt32]
    )
    func nodeSDK_sendnoOf32Bits(_ sendno: UInt32) throws {
        let push = try request(
            """
            {"platform":"all","audience":"all","notification":{"alert":"x"},"options":{"sendno":\(sendno)}}
            """
        )
        #expect(push.options.sendno == sendno)
    }

    @Test("The library for Java writes 'ai_opportunity' into every notification, also beside a VoIP push alone")
    func javaSDK_opportunity() throws {
        let push = try request(
            """
            {"platform":"all","audience":"all","notification":{"ai_opportunity":false,"alert":"x"},
             "options":{"sendno":1772590404,"apns_production":false,"classification":0}}
            """
        )
        #expect(push.notification.alert == "x" && push.options.environment == .development)
        let call = #"{"platform":"ios","audience":"all","notification":{"ai_opportunity":true,"voip":{"a":"b"}}}"#
        #expect(try request(call).voip == ["a": "b"])
        let wrong = #"{"platform":"ios","audience":"all","notification":{"ai_opportunity":"no","alert":"x"}}"#
        #expect(code(wrong) == 1003)
    }

    @Test("The library for Go sends null for each member of ios that was not set: the shared alert counts")
    func goSDK_nullMembersOfIOS() throws {
        let push = try request(
            """
            {"platform":["ios"],"audience":{"tag":["a"],"alias":null},"message":null,"cid":null,
             "notification":{"alert":"shared","android":null,"ios":{"alert":null,"sound":null,"badge":null,"extras":null,
             "content-available":null,"interruption-level":null}},
             "options":{"sendno":null,"time_to_live":null,"apns_production":null,"apns_collapse_id":null}}
            """
        )
        #expect(push.notification.alert == "shared")
        #expect(push.notification.badge == nil)
        #expect(push.options == PushOptions())
        #expect(push.audience == (try request(Self.small)).audience)
    }

    private static let small = """
        {"platform":["ios"],"audience":{"tag":["a"]},"notification":{"alert":"shared"}}
        """

    @Test("A null member is an absent one also where it is required, and where no such member is known")
    func goSDK_nullIsAbsent() throws {
        #expect(code("{\"platform\":null,\"audience\":\"all\",\"notification\":{\"alert\":\"x\"}}") == 1002)
        #expect(code("{\"platform\":\"all\",\"audience\":null,\"notification\":{\"alert\":\"x\"}}") == 1002)
        #expect(code("{\"platform\":\"all\",\"audience\":\"all\",\"notification\":null}") == 1002)
        #expect(code("{\"platform\":\"all\",\"audience\":\"all\",\"message\":{\"msg_content\":null}}") == 1002)
        let unknown = "{\"platform\":\"all\",\"audience\":\"all\",\"notification\":{\"alert\":\"x\"},\"trace\":null}"
        #expect(try request(unknown).notification.alert == "x")
    }

    @Test("Null inside extras is the caller's own, and stays; an alert's null members go")
    func goSDK_nullInExtras() throws {
        let push = try request(
            """
            {"platform":"all","audience":"all","notification":{"ios":{"alert":{"title":null,"body":"b"},
             "extras":{"a":null,"b":{"c":null}}}}}
            """
        )
        #expect(push.notification.alert == ["body": "b"])
        #expect(push.notification.extras == ["a": .null, "b": ["c": .null]])
    }

    @Test("A null member of an entry of a batch is an absent one")
    func goSDK_nullInBatch() throws {
        let text = """
            {"pushlist":{"c":{"platform":"all","target":"bob","audience":null,"cid":null,"message":null,
             "notification":{"alert":"x","ios":{"alert":null}}}}}
            """
        let batch = try PushBatch(parsing: Array(text.utf8), to: .alias)
        let head = try batch.entries[0].push.get()
        #expect(head.hasNotification && head.message == nil)
        #expect(try batch.push(at: 0).request.notification.alert == "x")
    }

    @Test(
        "An unknown key inside audience is 1009, alone as beside a known one; a bad value goes before it",
        arguments: [
            ("{\"tagss\":[\"a\"]}", 1009), ("{\"tag\":[\"a\"],\"tagss\":[\"a\"]}", 1009),
            ("{\"tag\":[],\"x\":1}", 1009),
            ("{\"tag\":[1],\"tagss\":[\"a\"]}", 1003), ("{}", 1003),
        ]
    )
    func anySDK_unknownKeyOfAudience(_ audience: String, _ expected: Int) {
        #expect(code("{\"platform\":\"all\",\"audience\":\(audience),\"notification\":{\"alert\":\"x\"}}") == expected)
    }
}
