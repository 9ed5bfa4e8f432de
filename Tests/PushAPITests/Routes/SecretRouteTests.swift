import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Replaced secrets, and callers of what was deleted, over a socket", .suiteLimit)
struct SecretRouteTests {
    private typealias Operation = OperatorController.Operation

    private static func perform(
        _ operation: Operation,
        _ parameters: JSONObject,
        _ api: TestAPI
    ) async throws -> JSONObject {
        try await api.core.operators.perform(operation.rawValue, JSONValue.object(parameters).bytes)
    }

    /// Returns the statuses of a push on the short road, which takes verified callers, and of a call on the other road.
    private static func statuses(_ api: TestAPI, _ secret: String) async throws -> [Int] {
        let caller = TestAPI.basic("\(api.app.key):\(secret)")
        let push = try await api.call("POST", "/v3/push", hello, authorization: caller)
        let tags = try await api.call("GET", "/v3/tags", authorization: caller)
        return [push.status, tags.status]
    }

    @Test("Without an overlap an app's old secret ends at once, also for a caller that it has verified")
    func atOnce() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            // The second push finds the caller among the verified ones.
            for _ in 0..<2 { #expect(try await Self.statuses(api, api.masterSecret) == [200, 200]) }
            let app: JSONObject = ["app": .string(api.app.key.text)]
            let rotated = try await Self.perform(.appRotateSecret, app, api)
            let new = try #require(rotated["master_secret"]?.string)
            #expect(new.count == 24 && new != api.masterSecret)
            #expect(rotated["former_secret_until"] == nil)
            for _ in 0..<2 {
                #expect(try await Self.statuses(api, api.masterSecret) == [401, 401])
                #expect(try await Self.statuses(api, new) == [200, 200])
            }
        }
    }

    @Test("With an overlap both are valid until it ends, to the second, also for callers that were verified before")
    func overlap() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            let app: JSONObject = ["app": .string(api.app.key.text), "overlap": 3600]
            let rotated = try await Self.perform(.appRotateSecret, app, api)
            let new = try #require(rotated["master_secret"]?.string)
            #expect(rotated["former_secret_until"] != nil)
            for secret in [api.masterSecret, new, api.masterSecret, new] {
                #expect(try await Self.statuses(api, secret) == [200, 200])
            }
            await api.clock.advance(by: .seconds(3599))
            #expect(try await Self.statuses(api, api.masterSecret) == [200, 200])
            await api.clock.advance(by: .seconds(1))
            #expect(try await Self.statuses(api, api.masterSecret) == [401, 401])
            #expect(try await Self.statuses(api, new) == [200, 200])
            let shown = try await Self.perform(.appShow, ["app": .string(api.app.key.text)], api)
            #expect(shown["former_secret_until"] == nil)
        }
    }

    @Test("Overlaps end early, all of them; a second rotation leaves the first of three secrets its time")
    func ends() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            let app: JSONObject = ["app": .string(api.app.key.text)]
            var parameters = app
            parameters["overlap"] = 3600
            let second = try #require(
                try await Self.perform(.appRotateSecret, parameters, api)["master_secret"]?.string
            )
            let third = try #require(try await Self.perform(.appRotateSecret, parameters, api)["master_secret"]?.string)
            #expect(try await Self.statuses(api, api.masterSecret) == [200, 200])
            #expect(try await Self.statuses(api, second) == [200, 200])
            _ = try await Self.perform(.appEndSecret, app, api)
            #expect(try await Self.statuses(api, api.masterSecret) == [401, 401])
            #expect(try await Self.statuses(api, second) == [401, 401])
            #expect(try await Self.statuses(api, third) == [200, 200])
        }
    }

    @Test("Beyond five secrets that are valid still, there is no further one with an overlap")
    func tooMany() async throws {
        try await TestAPI.run { api in
            let app: JSONObject = ["app": .string(api.app.key.text)]
            var parameters = app
            parameters["overlap"] = 3600
            for _ in 0..<FormerSecret.most { _ = try await Self.perform(.appRotateSecret, parameters, api) }
            let error = await #expect(throws: OperatorError.self) {
                _ = try await Self.perform(.appRotateSecret, parameters, api)
            }
            #expect(error?.code == .conflict)
            #expect(try await Self.statuses(api, api.masterSecret)[1] == 200)
            _ = try await Self.perform(.appRotateSecret, app, api)
            #expect(try await Self.statuses(api, api.masterSecret)[1] == 401)
        }
    }

    @Test("An overlap is 0 seconds to 30 days", arguments: [-1, 2_592_001, 9_000_000_000_000_000_000])
    func bounds(_ overlap: Int64) async throws {
        try await TestAPI.run { api in
            let parameters: JSONObject = ["app": .string(api.app.key.text), "overlap": .integer(overlap)]
            let error = await #expect(throws: OperatorError.self) {
                _ = try await Self.perform(.appRotateSecret, parameters, api)
            }
            #expect(error?.code == .badRequest)
            let statuses = try await Self.statuses(api, api.masterSecret)
            #expect(statuses[1] == 200)
        }
    }

    @Test("A group's old secret ends at once or after the overlap; a deleted group's caller is refused")
    func groups() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            let made = try await api.core.store.createGroup(name: "G", apps: [api.app.id], at: api.clock.date)
            let key = made.group.key.text
            func status(_ secret: String) async throws -> Int {
                let caller = TestAPI.basic("group-\(key):\(secret)")
                return try await api.call("POST", "/v3/grouppush", hello, authorization: caller).status
            }
            let rotation: JSONObject = ["group": .string(key), "overlap": 60]
            let second = try await Self.perform(.groupRotateSecret, rotation, api)["master_secret"]?.string ?? ""
            #expect(try await status(made.masterSecret) == 200)
            #expect(try await status(second) == 200)
            await api.clock.advance(by: .seconds(60))
            #expect(try await status(made.masterSecret) == 401)
            let third = try await Self.perform(.groupRotateSecret, ["group": .string(key)], api)["master_secret"]?
                .string
            #expect(try await status(second) == 401)
            #expect(try await status(third ?? "") == 200)
            _ = try await Self.perform(.groupDelete, ["group": .string(key), "name": "G"], api)
            #expect(try await status(third ?? "") == 401)
        }
    }

    @Test("A developer's old secret ends at once or after the overlap; a deleted developer is refused, the apps stay")
    func developers() async throws {
        try await TestAPI.run { api in
            let made = try await api.core.store.createDeveloper(name: "D", at: api.clock.date)
            let key = made.developer.key.text
            func app(_ secret: String) async throws -> JSONObject? {
                let caller = TestAPI.basic("\(key):\(secret)")
                let body = "{\"app_name\":\"A\",\"android_package\":\"cn.example\",\"group_name\":null}"
                let answer = try await api.call("POST", "/v1/app", body, authorization: caller)
                return answer.status == 200 ? answer.json : nil
            }
            let owned = try #require(try await app(made.secret))
            let rotation: JSONObject = ["developer": .string(key), "overlap": 60]
            let second = try await Self.perform(.developerRotateSecret, rotation, api)["dev_secret"]?.string ?? ""
            #expect(try await app(made.secret) != nil)
            await api.clock.advance(by: .seconds(60))
            #expect(try await app(made.secret) == nil)
            // The Admin API hands out the new secret of an app.
            let appKey = try #require(owned["app_key"]?.string)
            let rotated = try await Self.perform(.appRotateSecret, ["app": .string(appKey)], api)
            #expect(try await app(second)?["master_secret"] == rotated["master_secret"])
            let deletion: JSONObject = ["developer": .string(key), "name": "D"]
            #expect(try await Self.perform(.developerDelete, deletion, api)["apps_left"] == 1)
            #expect(try await app(second) == nil)
            let caller = TestAPI.basic("\(appKey):\(rotated["master_secret"]?.string ?? "")")
            #expect(try await api.call("GET", "/v3/tags", authorization: caller).status == 200)
        }
    }

    @Test("A deleted app's caller is refused, on both roads; its name is asked for, and what goes is said")
    func deletion() async throws {
        try await TestAPI.run { api in
            try await api.addDevice()
            for _ in 0..<2 { #expect(try await Self.statuses(api, api.masterSecret) == [200, 200]) }
            let key = JSONValue.string(api.app.key.text)
            for name in ["", "app", "App ", "x"] {
                let error = await #expect(throws: OperatorError.self) {
                    _ = try await Self.perform(.appDelete, ["app": key, "name": .string(name)], api)
                }
                #expect(error?.code == .conflict)
            }
            let contents = try await Self.perform(.appContents, ["app": key], api)
            #expect(contents["devices"] == 1 && contents["pushes"] == 2)
            let gone = try await Self.perform(.appDelete, ["app": key, "name": "App"], api)
            #expect(gone["devices"] == 1)
            // As for any key that no app has.
            #expect(try await Self.statuses(api, api.masterSecret) == [401, 400])
            let error = await #expect(throws: OperatorError.self) {
                _ = try await Self.perform(.appDelete, ["app": key, "name": "App"], api)
            }
            #expect(error?.code == .notFound)
        }
    }
}
