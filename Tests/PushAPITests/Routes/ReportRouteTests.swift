import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Reports over a socket", .suiteLimit)
struct ReportRouteTests {
    /// Pushes to everybody and waits until APNs has said yes to all; one of two devices reports.
    private static func push(_ api: TestAPI) async throws -> String {
        let device = try await api.addDevice()
        try await api.addDevice()
        let answer = try await api.call("POST", "/v3/push", hello)
        let id = try #require(answer.json?["msg_id"]?.string)
        try await eventually("no chunk is due") {
            try await api.core.store.waiting(for: .onlyNode, at: .distantFuture).isEmpty
        }
        let registrationID = api.core.registry.registrationID(of: device.id)
        let message = try #require(MessageID(id))
        try await eventually("APNs has taken both") {
            try await api.core.reports.counts(of: [message], app: api.app.id)[message]?.sent == 2
        }
        let journey = try #require(
            try await api.core.journeys.journey(of: message, to: registrationID, app: api.app)
        )
        let apnsID = try #require(journey.apnsID)
        for kind in [JourneyEvent.Kind.delivered, .presented(.banner), .opened] {
            let event = JourneyEvent(date: api.clock.date, station: .device, kind: kind)
            api.core.journeyLog.record(event, of: .push(apnsID: apnsID))
        }
        return id
    }

    private static func array(_ answer: Answer) throws -> [JSONValue] {
        try #require(try JSONValue(parsing: answer.body).array)
    }

    @Test("Both forms of received have exactly their keys; what Posthorn does not deliver to is null")
    func received() async throws {
        try await TestAPI.run { api in
            let id = try await Self.push(api)
            let old = try await api.call("GET", "/v3/received?msg_ids=\(id)")
            #expect(old.status == 200)
            #expect(old.headers["content-type"] == "application/json; charset=utf-8")
            #expect(
                try Self.array(old) == [
                    [
                        "msg_id": .string(id), "android_received": .null, "ios_apns_sent": 2, "ios_apns_received": 1,
                        "ios_msg_received": 0, "wp_mpns_sent": .null,
                    ]
                ]
            )
            let detail = try await api.call("GET", "/v3/received/detail?msg_ids=\(id)%2C7")
            let known: JSONValue = [
                "msg_id": .string(id), "jpush_received": 0, "android_pns_sent": .null, "android_pns_received": .null,
                "ios_apns_sent": 2, "ios_apns_received": 1, "ios_msg_received": 0, "live_acivity_sent": 0,
                "live_acivity_received": 0, "wp_mpns_sent": .null, "quickapp_jpush_received": .null,
                "quickapp_pns_sent": .null, "hmos_hmpns_received": .null, "hmos_hmpns_sent": .null,
                "hmos_msg_received": .null, "hmos_msg_sent": .null,
            ]
            let keys = try #require(known.object?.keys)
            var unknown = JSONObject(keys.map { ($0, JSONValue.null) })
            unknown["msg_id"] = "7"
            #expect(try Self.array(detail) == [known, .object(unknown)])
        }
    }

    @Test("A push to Live Activities is counted as one")
    func liveActivity() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            let token = ChannelToken(
                channel: .activity,
                name: "order-7",
                token: DeviceToken(bytes: [7]),
                environment: .production
            )
            try await api.core.store.setChannelToken(token, of: device.id, limit: 1, at: api.clock.date)
            let body = """
                {"platform":"ios","audience":{"live_activity_id":"order-7"},
                "live_activity":{"ios":{"event":"end","content-state":{}}}}
                """
            let answer = try await api.call("POST", "/v3/push", body)
            let id = try #require(answer.json?["msg_id"]?.string)
            try await eventually("the push is sent") {
                let detail = try await api.call("GET", "/v3/received/detail?msg_ids=\(id)")
                return try Self.array(detail).first?.object?["live_acivity_sent"] == 1
            }
            let detail = try await api.call("GET", "/v3/messages/detail?msg_ids=\(id)")
            let details = try #require(try Self.array(detail).first?.object?["details"]?.object)
            #expect(details["live_activity"]?.object?["sent"] == 1)
            #expect(details["notification"]?.object?["sent"] == 0)
        }
    }

    @Test("messages has four keys and three objects; messages/detail eight, with its sums by channel")
    func messages() async throws {
        try await TestAPI.run { api in
            let id = try await Self.push(api)
            let old = try await api.call("GET", "/v3/messages/?msg_ids=\(id)")
            #expect(
                try Self.array(old) == [
                    [
                        "msg_id": .string(id),
                        "android": [
                            "received": .null, "target": .null, "online_push": .null, "click": .null,
                            "msg_click": .null,
                        ],
                        "ios": [
                            "apns_sent": 2, "apns_target": 2, "apns_received": 1, "click": 1, "target": 0,
                            "received": 0,
                        ],
                        "winphone": ["mpns_target": .null, "mpns_sent": .null, "click": .null],
                    ]
                ]
            )
            let detail = try await api.call("GET", "/v3//messages/detail?msg_ids=9,\(id)")
            let elements = try Self.array(detail)
            #expect(elements.count == 2)
            for element in elements {
                #expect(
                    element.object?.keys == [
                        "msg_id", "details", "jpush", "android_pns", "ios", "winphone", "quickapp_jpush",
                        "quickapp_pns",
                    ]
                )
                for key in ["details", "jpush", "android_pns", "ios"] { #expect(element.object?[key]?.object != nil) }
            }
            let known = try #require(elements[1].object)
            let counts: JSONObject = ["target": 2, "sent": 2, "received": 1, "display": 1, "click": 1]
            let none: JSONObject = ["target": 0, "sent": 0, "received": 0, "display": 0, "click": 0]
            var notification = counts
            notification["sub_ios"] = ["apns": .object(counts), "voip": .object(none)]
            var message = none
            message["sub_ios"] = ["jg_ios": .object(none)]
            #expect(known["details"] == ["notification": .object(notification), "message": .object(message)])
            #expect(
                known["ios"] == [
                    "apns_target": 2, "apns_sent": 2, "apns_received": 1, "apns_click": 1, "apns_display": 1,
                    "msg_target": 0, "msg_received": 0, "msg_click": 0, "msg_display": 0,
                ]
            )
            #expect(elements[0].object?["ios"]?.object?["apns_sent"] == .null)
        }
    }

    @Test("Custom messages are counted by themselves, in every form")
    func customMessages() async throws {
        try await TestAPI.run { api in
            let device = try await api.addDevice()
            try await api.addDevice()
            let body = "{\"platform\":\"all\",\"audience\":\"all\",\"message\":{\"msg_content\":\"m\"}}"
            let id = try #require(try await api.call("POST", "/v3/push", body).json?["msg_id"]?.string)
            let message = try #require(MessageID(id))
            try await api.core.store.record(
                [message: [.received, .clicked]],
                inApp: [:],
                of: device.id,
                at: api.clock.date
            )
            func element(_ path: String) async throws -> JSONObject {
                let answer = try await api.call("GET", "/v3/\(path)?msg_ids=\(id)")
                return try #require(try Self.array(answer).first?.object)
            }
            let received = try await element("received")
            #expect((received["ios_msg_received"], received["ios_apns_received"]) == (1, 0))
            let detail = try await element("received/detail")
            #expect((detail["ios_msg_received"], detail["jpush_received"]) == (1, 1))
            let messages = try await element("messages")
            #expect(
                messages["ios"] == [
                    "apns_sent": 0, "apns_target": 0, "apns_received": 0, "click": 1, "target": 2, "received": 1,
                ]
            )
            let all = try await element("messages/detail")
            let counts: JSONObject = ["target": 2, "sent": 1, "received": 1, "display": 0, "click": 1]
            #expect(all["details"]?.object?["message"]?.object?["sub_ios"] == ["jg_ios": .object(counts)])
            #expect(all["jpush"]?.object?["msg_click"] == 1)
            #expect(all["ios"]?.object?["msg_target"] == 2)
        }
    }

    @Test("A status has one key for each id, in every spelling of the path")
    func status() async throws {
        try await TestAPI.run { api in
            let id = try await Self.push(api)
            let ids = (0..<2).map {
                api.core.registry.registrationID(of: DeviceID(app: api.app.id, ordinal: $0)).text
            }
            for path in ["/v3/status/message", "/v3/report/status/message/"] {
                let body = "{\"msg_id\":\(id),\"registration_ids\":[\"\(ids[1])\",\"\(ids[0])\",\"x\"]}"
                let answer = try await api.call("POST", path, body)
                #expect(answer.status == 200)
                #expect(
                    answer.json == [ids[1]: ["status": 1], ids[0]: ["status": 0], "x": ["status": 2]]
                )
            }
        }
    }

    @Test("users has exactly four keys; an item says ios only when there is something")
    func users() async throws {
        try await TestAPI.run { api in
            let note = UseNote(measures: [.online, .active], times: [.day: "2026-01-02"])
            try await api.core.store.note(note, of: [0, 1], app: api.app.id)
            let answer = try await api.call("GET", "/v3/users/?time_unit=DAY&start=2026-01-01&duration=2")
            #expect(
                answer.json == [
                    "time_unit": "DAY", "start": "2026-01-01", "duration": 2,
                    "items": [
                        ["time": "2026-01-01"], ["time": "2026-01-02", "ios": ["new": 0, "online": 2, "active": 2]],
                    ],
                ]
            )
            let hours = try await api.call("GET", "/v3/users?time_unit=HOUR&start=2026-01-02%2004&duration=24")
            #expect(hours.json?["items"]?.array?.count == 20)
            #expect(hours.json?["duration"] == 24)
            let plus = try await api.call("GET", "/v3/users?time_unit=HOUR&start=2026-01-02+04&duration=1")
            #expect(plus.json?["items"] == [["time": "2026-01-02 04"]])
        }
    }

    /// It is 1 January 2026, 16:00, in the service's zone; 60 days before that is 2 November 2025.
    @Test(
        "users of more than 60 days ago are 3005, by the day, or by the last day of a month",
        arguments: [
            ("DAY", "2025-11-02", nil), ("DAY", "2025-11-01", 3005), ("HOUR", "2025-11-02+00", nil),
            ("HOUR", "2025-11-01+23", 3005), ("MONTH", "2025-11", nil), ("MONTH", "2025-10", 3005),
            ("MONTH", "2016-02", 3005),
        ] as [(String, String, Int64?)]
    )
    func pythonSDK_usersOfLongAgo(_ unit: String, _ start: String, _ code: Int64?) async throws {
        try await TestAPI.run { api in
            let answer = try await api.call("GET", "/v3/users?time_unit=\(unit)&start=\(start)&duration=1")
            #expect(answer.code == code, "\(answer.text)")
            #expect(answer.status == (code == nil ? 200 : 400))
        }
    }

    @Test("A group's reports are the sums over its apps")
    func groups() async throws {
        try await TestAPI.run { api in
            let id = try await Self.push(api)
            let made = try await api.core.store.createGroup(name: "group", apps: [api.app.id], at: api.clock.date)
            let group = TestAPI.basic("group-\(made.group.key):\(made.masterSecret)")
            let note = UseNote(measures: [.online], times: [.day: "2026-01-02"])
            try await api.core.store.note(note, of: [0, 1], app: api.app.id)
            let users = try await api.call(
                "GET",
                "/v3/group/users?time_unit=DAY&start=2026-01-02&duration=1",
                authorization: .some(group)
            )
            #expect(
                users.json?["items"]
                    == [["time": "2026-01-02", "ios": ["new": 0, "online": 2, "active": 0]]]
            )
            let pushed = try await api.call("POST", "/v3/grouppush", hello, authorization: .some(group))
            let name = try #require(pushed.json?["group_msgid"]?.string, "\(pushed.text)")
            try await eventually("the report of the group's push has both as sent") {
                let report = try await api.call(
                    "GET",
                    "/v3/group/messages/detail?group_msgids=\(name)",
                    authorization: .some(group)
                )
                let element = try #require(try Self.array(report).first?.object)
                #expect(element.keys.first == "group_msgid")
                #expect(element["ios"]?.object?["apns_target"] == 2)
                return element["ios"]?.object?["apns_sent"] == 2
            }
            let unknown = try await api.call(
                "GET",
                "/v3/group/messages/detail?group_msgids=abc%2C\(id)",
                authorization: .some(group)
            )
            let elements = try Self.array(unknown)
            #expect(elements.map { $0.object?["group_msgid"] } == ["abc", .string(id)])
            #expect(elements.allSatisfy { $0.object?["android_pns"]?.object != nil })
            let tooMany = (0...10).map(String.init).joined(separator: ",")
            for ids in ["", "?group_msgids=", "?group_msgids=a,", "?group_msgids=\(tooMany)"] {
                let answer = try await api.call(
                    "GET",
                    "/v3/group/messages/detail\(ids)",
                    authorization: .some(group)
                )
                #expect(answer.code == 3002, "\(ids)")
            }
            let stranger = try await api.call(
                "GET",
                "/v3/group/users",
                authorization: .some(TestAPI.basic("group-a:b"))
            )
            #expect(stranger.status == 401)
            #expect(stranger.code == 3001)
        }
    }

    @Test("Each error of the family has its code and status")
    func errors() async throws {
        let table: [(String, String, String?, Int, Int64)] = [
            ("GET", "/v3/received", nil, 400, 3002), ("GET", "/v3/received?msg_ids=", nil, 400, 3002),
            ("GET", "/v3/received?msg_ids=a", nil, 400, 3002), ("GET", "/v3/received/detail", nil, 400, 3002),
            ("GET", "/v3/messages", nil, 400, 3002), ("GET", "/v3/messages/detail?msg_ids=1,,2", nil, 400, 3002),
            ("POST", "/v3/status/message", "{}", 400, 3002), ("POST", "/v3/status/message", "{,}", 400, 3002),
            ("GET", "/v3/users", nil, 400, 3002),
            ("GET", "/v3/users?time_unit=DAY&start=2026-01&duration=1", nil, 400, 3004),
            ("GET", "/v3/users?time_unit=DAY&start=2026-01-01&duration=61", nil, 400, 3005),
            ("GET", "/v3/group/users", nil, 403, 2003), ("GET", "/v3/group/messages/detail", nil, 403, 2003),
            ("POST", "/v3/received", "", 405, 3002), ("PUT", "/v3/received/detail", "", 405, 3002),
            ("DELETE", "/v3/messages", nil, 405, 3002), ("POST", "/v3/messages/detail", "", 405, 3002),
            ("GET", "/v3/status/message", nil, 405, 3002), ("POST", "/v3/users", "", 405, 3002),
        ]
        try await TestAPI.run { api in
            for (method, target, body, status, code) in table {
                let answer = try await api.call(method, target, body)
                #expect(answer.status == status, "\(method) \(target): \(answer.text)")
                #expect(answer.code == code, "\(method) \(target): \(answer.text)")
                #expect(answer.message?.isEmpty == false)
                if code != 2003 { #expect(answer.headers["x-rate-limit-remaining"] != nil) }
            }
        }
    }

    @Test("A caller that cannot authenticate gets 3001, whatever else is wrong")
    func authentication() async throws {
        try await TestAPI.run { api in
            for authorization in [nil, "Basic x", TestAPI.basic("short:x"), TestAPI.basic("\(api.app.key):x")] {
                for target in ["/v3/received?msg_ids=1", "/v3/users", "/v3/report/messages?msg_ids=1"] {
                    let answer = try await api.call("GET", target, authorization: .some(authorization))
                    #expect(answer.status == 401)
                    #expect(answer.code == 3001)
                    #expect(answer.message == "Basic authentication failed")
                }
            }
        }
    }

    @Test("The report of a deleted push says where why asks")
    func deleted() async throws {
        try await TestAPI.run { api in
            let id = try await Self.push(api)
            let registrationID = api.core.registry.registrationID(of: DeviceID(app: api.app.id, ordinal: 0))
            let path = "/posthorn/v1/journeys/\(id)/\(registrationID)"
            let journey = try await api.call("GET", path)
            let apnsID = try #require(journey.json?["apns_id"]?.string)
            await api.clock.advance(by: .seconds(40 * 86_400))
            await api.core.housekeeper.tidy()
            for target in [path, "/posthorn/v1/apns/\(apnsID)"] {
                let answer = try await api.call("GET", target)
                #expect(answer.status == 404)
                #expect(answer.code == 1003)
                #expect(
                    answer.message
                        == "The push was deleted 31 days after its last delivery (setting retention.messages)."
                )
            }
        }
    }
}
