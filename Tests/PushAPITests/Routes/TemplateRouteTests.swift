import Foundation
import PushModel
import PushService
import TestSupport
import Testing

/// The bodies are those of JPush's documentation, "Push template API", with devices of this service.
@Suite("Push templates over a socket", .suiteLimit)
struct TemplateRouteTests {
    private static let parcel = """
        {"name":"Parcel","push":{"platform":"all","notification":{"ios":{"alert":{"title":"{{title}}","body":"{{ content }}, {{title}}"},
        "badge":"+1","extras":{"n":1}}},"options":{"time_to_live":60,"apns_collapse_id":"c"}}}
        """

    private static func create(_ api: TestAPI, _ body: String = parcel) async throws -> String {
        let answer = try await api.call("POST", "/posthorn/v1/templates", body)
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(answer.json?["id"]?.string)
    }

    private static func param(_ audience: String, _ more: String = "") -> String {
        "{\"keys\":{\"title\":\"T\",\"content\":\"C\"},\"audience\":\(audience)\(more)}"
    }

    private static func body(_ id: String, _ params: String..., more: String = "") -> String {
        "{\"id\":\"\(id)\",\"params\":[\(params.joined(separator: ","))]\(more)}"
    }

    @Test(
        "Values are inserted as text; what is no variable stays",
        arguments: [
            ("{{a}}", "1{{b}}"), ("{{ a }}{{b}}", "1{{b}}\"\\n"), ("{{{a}}}", "1{{b}}"),
            ("{{a|x}} {{}} {{a b}}", "{{a|x}} {{}} {{a b}}"),
            ("{{ {{a}}", "{{ 1{{b}}"), ("{{a", "{{a"), ("ü{{名}}", "ü好"),
        ]
    )
    func variables(_ text: String, _ filled: String) {
        let template = PushTemplate(name: "", push: ["message": ["extras": [.string(text)]]])
        let values = ["a": "1{{b}}", "b": "\"\\n", "名": "好"]
        #expect(template.filled { values[$0] }["message"]?.object?["extras"] == [.string(filled)])
    }

    @Test("A template is made, read, listed, changed and deleted; each app has its own")
    func life() async throws {
        try await TestAPI.run { api in
            let id = try await Self.create(api)
            #expect(id.wholeMatch(of: #/[0-9a-f]{12}/#) != nil)
            let one = try await api.call("GET", "/posthorn/v1/templates/\(id)")
            #expect(one.json?.keys == ["id", "name", "push", "variables", "created_at"])
            #expect(one.json?["variables"] == ["title", "content"])
            let list = try await api.call("GET", "/posthorn/v1/templates")
            #expect(list.json?["templates"]?.array?.map(\.object) == [one.json])
            let changed = "{\"name\":\"P\",\"push\":{\"platform\":\"all\",\"notification\":{\"alert\":\"{{x}}\"}}}"
            #expect(try await api.call("PUT", "/posthorn/v1/templates/\(id)", changed).json?["variables"] == ["x"])
            #expect(try await api.core.templates.store.templates(of: 99).isEmpty)
            #expect(try await api.call("DELETE", "/posthorn/v1/templates/\(id)").status == 200)
            for (method, body) in [("GET", nil), ("PUT", changed), ("DELETE", nil)] {
                #expect(try await api.call(method, "/posthorn/v1/templates/\(id)", body).status == 404)
            }
        }
    }

    @Test("A template that no push can be made of is refused")
    func refusedTemplates() async throws {
        try await TestAPI.run { api in
            let push = "\"platform\":\"all\",\"notification\":{\"alert\":\"x\"}"
            for (body, code) in [
                ("{\"push\":{\(push)}}", 1002), ("{\"name\":\"n\"}", 1002),
                ("{\"name\":\"\",\"push\":{\(push)}}", 1003),
                ("{\"name\":\"n\",\"push\":{\(push),\"audience\":\"all\"}}", 1003),
                ("{\"name\":\"n\",\"push\":{\(push)},\"x\":1}", 1009),
                ("{\"name\":\"n\",\"push\":{\(push),\"x\":1}}", 1009),
                ("{\"name\":\"n\",\"push\":{\"platform\":\"all\"}}", 1002), ("{\"name\":\"n\",\"push\":1}", 1003),
                ("x", 1002),
            ] as [(String, Int64)] {
                let answer = try await api.call("POST", "/posthorn/v1/templates", body)
                #expect(answer.code == code, "\(body): \(answer.text)")
            }
            for _ in 0..<JPushLimits.templates { _ = try await Self.create(api) }
            #expect(try await api.call("POST", "/posthorn/v1/templates", Self.parcel).code == 1003)
        }
    }

    @Test("Each member of params is a push with its own result, values and options")
    func send() async throws {
        try await TestAPI.run { api in
            let ids = [try await api.addDevice(), try await api.addDevice()]
                .map { api.core.registry.registrationID(of: $0.id).text }
            let id = try await Self.create(api)
            let first = "{\"registration_id\":[\"\(ids[0])\"]}"
            let answer = try await api.call(
                "POST",
                "/v3/push/template",
                Self.body(
                    id,
                    Self.param(
                        first,
                        ",\"options\":{\"test_model\":false,\"time_to_live\":7},\"trace_id\":\"8de06fh-8djfgg\""
                    ),
                    Self.param("{\"registration_id\":[\"0f\"]}"),
                    "{\"keys\":{\"title\":\"only\",\"spare\":\"1\"},\"audience\":{\"registration_id\":[\"\(ids[1])\"]}}"
                )
            )
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json?["code"] == 0 && answer.json?["message"] == "success")
            let results = answer.json?["data"]?.object?.objects("push_list") ?? []
            #expect(results.map { $0["code"] } == [0, 1011, 1002])
            #expect(
                results.map(\.keys) == [
                    ["code", "message", "message_id", "trace_id"], ["code", "message"], ["code", "message"],
                ]
            )
            #expect(results[0]["trace_id"] == "8de06fh-8djfgg")
            #expect(results[2]["message"]?.string?.contains("'keys.content'") == true)
            #expect(answer.json?["warnings"]?.array?.first?.object?["path"] == "params[2].keys.spare")
            #expect(answer.headers["x-posthorn-warnings"] == "1")
            let number = try #require(results[0]["message_id"]?.string.flatMap { MessageID($0) })
            let message = try #require(try await api.core.store.message(number, of: api.app.id)).message
            let push = try #require(try JSONValue(parsing: message.body).object)
            #expect(push["notification"]?.object?["ios"]?.object?["alert"] == ["title": "T", "body": "C, T"])
            #expect(push["options"] == ["time_to_live": 7, "apns_collapse_id": "c", "test_model": false])
            #expect(try push["audience"] == JSONValue(parsing: first))
        }
    }

    @Test("A wrong value or wrong options concern their push alone; placeholders that are left have a warning")
    func oneBadPush() async throws {
        try await TestAPI.run { api in
            let id = api.core.registry.registrationID(of: try await api.addDevice().id).text
            let push = #"{"platform":"all","notification":{"ios":{"alert":"Hi {{name}} {{city | upcase}}"}}}"#
            let made = try await api.call("POST", "/posthorn/v1/templates", "{\"name\":\"n\",\"push\":\(push)}")
            #expect(made.json?["warnings"]?.array?.first?.object?["found"] == "{{city | upcase}}")
            #expect(made.headers["x-posthorn-warnings"] == "1")
            let template = try #require(made.json?["id"]?.string)
            let audience = "\"audience\":{\"registration_id\":[\"\(id)\"]}"
            let params = [
                #""keys":{"name":true}"#, #""keys":{"name":"Ann"}"#, #""keys":7"#, #""keys":{"name":"x"},"options":1"#,
                "\"keys\":{\"name\":\"\(String(repeating: "x", count: 1001))\"}",
            ]
            let body = Self.body(template, params.map { "{\(audience),\($0)}" }.joined(separator: ","))
            let answer = try await api.call("POST", "/v3/push/template", body)
            let results = answer.json?["data"]?.object?.objects("push_list") ?? []
            #expect(
                answer.status == 200 && results.map { $0["code"] } == [1003, 0, 1003, 1003, 1003],
                "\(answer.text)"
            )
            #expect(results.last?["message"]?.string?.contains("keys.name' is 1001 bytes long") == true)
            #expect(answer.json?["warnings"]?.array?.map { $0.object?["found"] } == ["{{city | upcase}}"])
        }
    }

    @Test("However many variables and values come, a request is answered at once, and others beside it")
    func manyVariables() async throws {
        try await TestAPI.run { api in
            func alert(_ count: Int) -> String { (0..<count).map { "{{v\($0)}}" }.joined() }
            func template(_ alert: String) -> String {
                #"{"name":"n","push":{"platform":"all","notification":{"alert":"\#(alert)"}}}"#
            }
            #expect(try await api.call("POST", "/posthorn/v1/templates", template(alert(1500))).code == 1003)
            let id = try await Self.create(api, template(alert(100)))
            let keys = (0..<100).map { "\"v\($0)\":\"x\"" }.joined(separator: ",")
            let param = "{\"keys\":{\(keys)},\"audience\":{\"alias\":[\"nobody\"]}}"
            let params = Array(repeating: param, count: 1000).joined(separator: ",")
            let sent = try await api.call("POST", "/v3/push/template", "{\"id\":\"\(id)\",\"params\":[\(params)]}")
            let list = sent.json?["data"]?.object?.objects("push_list") ?? []
            #expect(list.count == 1000 && list.allSatisfy { $0["code"] == 1011 })
        }
    }

    @Test("Values, and the push that they would make, are limited before it is made")
    func largeValues() async throws {
        try await TestAPI.run { api in
            let alert = String(repeating: "{{a}}", count: 600)
            let push = #"{"name":"n","push":{"platform":"all","notification":{"alert":"\#(alert)"}}}"#
            let id = try await Self.create(api, push)
            func send(_ bytes: Int) async throws -> Answer {
                let keys = "{\"a\":\"\(String(repeating: "x", count: bytes))\"}"
                let body = "{\"id\":\"\(id)\",\"params\":[{\"keys\":\(keys),\"audience\":\"all\"}]}"
                return try await api.call("POST", "/v3/push/template", body)
            }
            let long = try await send(100_000).json?["data"]?.object?.objects("push_list").first
            #expect(long?["code"] == 1003)
            #expect(long?["message"]?.string?.contains("'params[0].keys.a' is 100000 bytes long") == true)
            let answer = try await send(1000)
            #expect(answer.json?["data"]?.object?.objects("push_list").first?["code"] == 1005)
            #expect(answer.text.contains("would have 6000"), "\(answer.text)")
        }
    }

    @Test("Schedules are made from the template as it is now")
    func schedule() async throws {
        try await TestAPI.run { api in
            let id = try await Self.create(api)
            let more = ",\"schedule_name\":\"n\",\"trigger\":{\"single\":{\"time\":\"2026-01-01 16:30:00\"}}"
            let made = Self.body(id, Self.param("\"all\"", ",\"trace_id\":\"t\""), more: more)
            let answer = try await api.call("POST", "/v3/push/template/schedule", made)
            let result = try #require(answer.json?["data"]?.object?.objects("schedule_list").first, "\(answer.text)")
            #expect(result.keys == ["code", "message", "schedule_id", "trace_id"])
            #expect(try await api.call("DELETE", "/posthorn/v1/templates/\(id)").status == 200)
            let kept = try await api.call("GET", "/v3/schedules/\(result["schedule_id"]?.string ?? "")")
            #expect(kept.json?["name"] == "n")
            #expect(kept.json?["push"]?.object?["audience"] == "all")
            let late = made.replacing("2026-01-01", with: "2025-01-01").replacing(id, with: try await Self.create(api))
            let refused = try await api.call("POST", "/v3/push/template/schedule", late)
            #expect(refused.json?["data"]?.object?.objects("schedule_list").first?["code"] == 8100)
        }
    }

    @Test("All audiences of a request are of one kind")
    func audiences() async throws {
        try await TestAPI.run { api in
            let id = try await Self.create(api)
            let device = "{\"registration_id\":[\"0f\"]}"
            let bob = "{\"alias\":[\"bob\"]}"
            let names = (0..<501).map { "\"a\($0)\"" }.joined(separator: ",")
            for (params, code) in [
                ([device, bob], 1003), (["\"all\"", "\"all\""], 1003), ([#"{"alias":["a"],"tag":["b"]}"#], 1003),
                ([#"{"tag":["a"],"tag_and":["b"],"tag_not":["c"]}"#], nil),
                ([#"{"tag":["a"]}"#, #"{"tag":["b"]}"#], 1003),
                ([#"{"segment":["a","b"]}"#], 1003), (["{\"alias\":[\(names)]}", "{\"alias\":[\(names)]}"], 1003),
                ([bob, bob], nil), (["1"], 1003), (["{}"], 1003),
            ] as [([String], Int64?)] {
                let body = "{\"id\":\"\(id)\",\"params\":[\(params.map { Self.param($0) }.joined(separator: ","))]}"
                let answer = try await api.call("POST", "/v3/push/template", body)
                #expect(answer.code == code, "\(params.first ?? ""): \(answer.text)")
            }
            for (body, status, code) in [
                (Self.body("0", Self.param(bob)), 404, 1003), ("{\"id\":\"\(id)\"}", 400, 1002),
                ("{\"id\":\"\(id)\",\"params\":[]}", 400, 1003),
                (Self.body(id, Self.param(bob, ",\"geofence\":{}")), 403, 2007),
                (Self.body(id, Self.param(bob, ",\"x\":1")), 400, 1009),
                (Self.body(id, "{}"), 400, 1002),
                (Self.body(id, Self.param(bob), more: ",\"schedule_name\":\"n\""), 400, 1009),
            ] as [(String, Int, Int64)] {
                let answer = try await api.call("POST", "/v3/push/template", body)
                #expect(answer.status == status && answer.code == code, "\(body): \(answer.text)")
            }
        }
    }
}

/// Virtual time begins on 1 January 2026 at 08:00 UTC: 16:00 in China.
@Suite("Push plans over a socket", .suiteLimit)
struct PlanRouteTests {
    @Test("A plan is made, changed, listed and found by its text, in exactly the keys of JPush")
    func life() async throws {
        try await TestAPI.run { api in
            for name in ["spring", "夏 1"] {
                let made = try await api.call(
                    "POST",
                    "/v3/push_plan/create",
                    "{\"name\":\"\(name)\",\"description\":\"Sale\"}"
                )
                #expect(made.json == ["code": 0, "message": "success"])
            }
            let changed = try await api.call(
                "PUT",
                "/v3/push_plan/update",
                "{\"name\":\"spring\",\"description\":\"春\"}"
            )
            #expect(changed.json == ["code": 0, "message": "success"])
            let list = try await api.call("GET", "/v3/push_plan/list")
            let data = try #require(list.json?["data"]?.object)
            #expect(data.keys == ["total", "page", "page_size", "detail"])
            #expect(data["total"] == 2 && data["page"] == 1 && data["page_size"] == 50)
            let first = data.objects("detail").first
            #expect(first?.keys == ["name", "description", "push_count", "create_time", "send_source"])
            #expect(first?["description"] == "春" && first?["create_time"] == "2026-01-01 16:00:00")
            for (query, names) in [
                ("page=2&page_size=1", ["夏 1"]), ("info=Sale", ["夏 1"]), ("info=spr&send_source=0", ["spring"]),
                ("send_source=1", []), ("page=9", []),
            ] {
                let found = try await api.call("GET", "/v3/push_plan/list?\(query)").json?["data"]?.object
                #expect(found?.objects("detail").map { $0["name"]?.string } == names, "\(query)")
            }
            for (method, path, body, code) in [
                ("POST", "create", "{\"name\":\"spring\"}", 1003), ("POST", "create", "{}", 1002),
                ("POST", "create", "{\"name\":\"\"}", 1003), ("POST", "create", "{\"name\":\"a\",\"x\":1}", 1009),
                ("PUT", "update", "{\"name\":\"autumn\"}", 1003), ("GET", "list?page=0", "", 1003),
            ] as [(String, String, String, Int64)] {
                let answer = try await api.call(method, "/v3/push_plan/\(path)", body)
                #expect(answer.code == code, "\(path) \(body): \(answer.text)")
            }
        }
    }

    @Test("Pushes of every road belong to their plan, whose report sums their counts")
    func pushes() async throws {
        try await TestAPI.run { api in
            let id = api.core.registry.registrationID(of: try await api.addDevice().id)
            func push(_ plan: String, _ target: String = #""audience":{"registration_id":["\#(id)"]}"#) -> String {
                let options = "{\"business_operation_code\":\"\(plan)\"}"
                return #"{"platform":"all",\#(target),"notification":{"alert":"x"},"options":\#(options)}"#
            }
            #expect(try await api.call("POST", "/v3/push", push("spring")).code == 1003)
            _ = try await api.call("POST", "/v3/push_plan/create", "{\"name\":\"spring\"}")
            // The second one is from a known caller.
            var ids: [String?] = []
            for _ in 0..<2 {
                let answer = try await api.call("POST", "/v3/push", push("spring"))
                #expect(answer.json?.keys == ["sendno", "msg_id"], "\(answer.text)")
                ids.append(answer.json?["msg_id"]?.string)
            }
            #expect(try await api.call("POST", "/v3/push/validate", push("spring")).status == 200)
            let cid = "\(api.app.key)-\(UUID().uuidString)"
            let batch = #"{"pushlist":{"\#(cid)":\#(push("spring", #""target":"\#(id)""#))}}"#
            let batched = try await api.call("POST", "/v3/push/batch/regid/single", batch)
            ids.append(batched.json?[cid]?.object?["msg_id"]?.string)
            let report = try await api.call("GET", "/posthorn/v1/plans/spring")
            #expect(report.json?.keys == ["plan", "msg_ids", "counts", "messages"])
            #expect(report.json?["plan"]?.object?["push_count"] == 3)
            #expect(report.json?["plan"]?.object?["last_used_time"] == "2026-01-01T16:00:00+08:00")
            #expect(report.json?["msg_ids"]?.array?.map(\.string) == ids.reversed())
            let compared = report.json?.objects("messages") ?? []
            #expect(compared.map { $0["msg_id"]?.string } == ids.reversed())
            #expect(compared.allSatisfy { $0["ios"]?.object?["apns_target"] == 1 })
            let counts = report.json?["counts"]?.object
            #expect(counts?["plan_id"] == "spring" && counts?["ios"]?.object?["apns_target"] == 3)
            #expect(try await api.call("GET", "/posthorn/v1/plans/autumn").status == 404)
        }
    }
}

extension JSONObject {
    fileprivate func objects(_ key: String) -> [JSONObject] { self[key]?.array?.compactMap(\.object) ?? [] }
}
