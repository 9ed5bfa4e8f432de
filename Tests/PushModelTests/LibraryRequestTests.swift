import PushModel
import Testing

/// Requests as libraries for JPush write them; each test is named after its library.
@Suite("Requests of libraries for JPush")
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

    @Test("The PHP class that many projects have copied writes numbers as strings, and booleans as 0 and 1")
    func phpClass_numbersAsStrings() throws {
        let push = try request(
            """
            {"platform":"all","audience":"all","notification":{"ios":{"alert":"x","badge":"1","content-available":1,
             "mutable-content":"0"},"android":{"alert":"x","builder_id":"1"}},
             "options":{"sendno":"18","time_to_live":"600","apns_production":0,"big_push_duration":"10","x_rate":"5",
             "override_msg_id":"123456789012345","classification":"1","test_message":0,"x_quiet_hours":0},
             "callback":{"url":"https://example.com","type":"3"},"inapp_message":{"inapp_message":1}}
            """
        )
        #expect(push.options.sendno == 18 && push.options.timeToLive == 600 && push.options.pacedMinutes == 10)
        #expect(push.options.rate == 5 && push.options.overriddenMessage == MessageID(123_456_789_012_345))
        #expect(push.options.environment == .development && push.options.quietHours == .none)
        #expect(push.notification.isContentAvailable && !push.notification.isContentMutable)
        #expect(push.callback?.kinds == [.delivered, .clicked] && push.isShownInApp)
    }

    @Test("A whole number may have a fraction of zero", arguments: ["86400.0", "86400", "8.64e4", "\"86400\""])
    func wholeNumbers(_ number: String) throws {
        let push = try request(
            #"{"platform":"all","audience":"all","notification":{"alert":"x"},"options":{"time_to_live":\#(number)}}"#
        )
        #expect(push.options.timeToLive == 86_400)
    }

    @Test("The same in batches, schedules, Live Activities, device calls and reports")
    func phpClass_otherCalls() throws {
        let entry = #"{"platform":"ios","target":"a1","notification":{"alert":"x"},"options":{"apns_production":"0"}}"#
        let batch = try PushBatch(parsing: Array(#"{"pushlist":{"c":\#(entry)}}"#.utf8), to: .registrationID)
        #expect(try batch.push(at: 0).request.options.environment == .development)
        let schedule = try JSONValue(
            parsing: """
                {"name":"n","enabled":1,"trigger":{"periodical":{"start":"2026-12-01 00:00:00","end":"2026-12-31 00:00:00",
                 "time":"12:00:00","time_unit":"day","frequency":"2"}},
                 "push":{"platform":"all","audience":"all","notification":{"alert":"x"},"options":{"time_to_live":"600"}}}
                """
        )
        #expect(try Schedule(try #require(schedule.object)).isEnabled)
        let activity = try request(
            """
            {"platform":"ios","audience":{"live_activity_id":"a"},"live_activity":{"ios":{"event":"end","content-state":{},
             "dismissal-date":"1800000000","stale-date":1800000000.0,"relevance-score":"50","apns-priority":"5"}}}
            """
        ).liveActivity
        #expect(activity?.dismissalDate == 1_800_000_000 && activity?.staleDate == 1_800_000_000)
        #expect(activity?.relevanceScore == 50 && activity?.priority == 5)
        #expect(try DeviceChange(parsing: Array(#"{"mobile":13012345678.0}"#.utf8)).mobile == .set("13012345678"))
        let query = try MessageStatusQuery(parsing: Array(#"{"msg_id":1613113584.0,"registration_ids":["a"]}"#.utf8))
        #expect(query.message == MessageID(1_613_113_584))
    }

    @Test("PushNotification PR #67: numbers of the caller's own data reach payload and link digit by digit")
    func pushNotificationPR67_numbersOfExtras() throws {
        let extras = #"{"id":18446744073709551615,"price":1.10,"small":1e-7}"#
        let push = try request(
            #"{"platform":"all","audience":"all","notification":{"ios":{"alert":"x","extras":\#(extras)}},"#
                + #""message":{"msg_content":"m","extras":\#(extras)}}"#
        )
        let payload = PayloadTemplate(push.notification, messageID: MessageID(1)).payload(badge: nil, number: 1)
        #expect(String(decoding: payload, as: UTF8.self).contains(extras.dropFirst().dropLast()))
        #expect(push.message?.extras.map { JSONValue.object($0).text } == extras)
    }

    @Test("Node 4.2.0 setSmsMessage, and the page of PHP's: a text message without a template")
    func nodeSDK_smsMessage() throws {
        func sms(_ members: String) -> String {
            #"{"platform":"all","audience":"all","notification":{"alert":"x"},"sms_message":{\#(members)}}"#
        }
        _ = try request(sms(#""content":"sms text","delay_time":60"#))
        #expect(code(sms(#""content":"sms text","delay_time":86401"#)) == 1003)
        #expect(code(sms(#""content":7,"delay_time":60"#)) == 1003)
        let alone = sms(#""content":"sms text""#)
        #expect(try request(alone).ignored == ["sms_message"])
        #expect(PushWarning.all(in: Array(alone.utf8)[...]).map(\.kind) == [.noEffect])
        #expect(try request(sms(#""delay_time":60"#)).ignored == ["sms_message"])
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
