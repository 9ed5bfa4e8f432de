import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Pushes to groups of apps", .suiteLimit)
struct GroupPushTests {
    private func group(_ apps: [App], in service: TestService) async throws -> AppGroup {
        let made = try await service.core.store.createGroup(name: "G", apps: apps.map(\.id), at: service.clock.date)
        let now = service.clock.date
        return try #require(
            try await service.core.store.group(made.group.key, secret: made.masterSecret, at: now)
        )
    }

    private func push(
        _ body: String,
        to group: AppGroup,
        file: FileAudience = .refused,
        in service: TestService
    ) async throws -> GroupPush {
        try await service.core.acceptor.accept(Array(body.utf8), for: group, file: file)
    }

    @Test("Each app sends to its own; one that has nobody says so and costs no other")
    func eachApp() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let other = try await service.addApp()
            let foreign = try await service.addDevice(app: other)
            let empty = try await service.addApp()
            let group = try await group([service.app, other, empty], in: service)
            let push = try await push(pushBody(options: "\"sendno\":7"), to: group, in: service)
            #expect(push.id.count == 20)
            #expect(push.id.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLowercase) })
            let answer = try #require(push.answer.object)
            #expect(answer.keys == ["group_msgid"] + [service.app, other, empty].map(\.key.text))
            #expect(answer["group_msgid"] == .string(push.id))
            for app in [service.app, other] {
                let id = try #require(push.messages[app.id])
                #expect(answer[app.key.text] == ["sendno": "7", "msg_id": .string(id.description)])
            }
            #expect(answer[empty.key.text]?.object?.keys == ["error"])
            #expect(answer[empty.key.text]?.object?["error"]?.object?["code"] == 1011)
            try await service.waitForSent(2)
            #expect(Set(service.sender.sent.elements.map(\.app.id)) == [service.app.id, other.id])
            let id = try #require(push.messages[service.app.id])
            #expect(try await service.journey(PushResult(messageID: id, sendno: 7), device).verdict.state == .sent)
            let journey = try await service.core.journeys.journey(
                of: try #require(push.messages[other.id]),
                to: service.core.registry.registrationID(of: foreign.id),
                app: other
            )
            #expect(journey?.verdict.state == .sent)
            #expect(try await service.store.groupPush(push.id, of: group.id) == push)
        }
    }

    @Test("A repeated cid gets the whole first answer and sends nothing, also at the same time")
    func firebase243_repeatGetsFirstAnswer() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let group = try await group([service.app], in: service)
            for key in [group.key.text, service.app.key.text] {
                let text = pushBody(cid: "\(key)-\(UUID().uuidString)")
                let pushes = try await withThrowingTaskGroup(of: GroupPush.self) { tasks in
                    for _ in 0..<10 { tasks.addTask { try await push(text, to: group, in: service) } }
                    return try await tasks.reduce(into: Set<GroupPush>()) { $0.insert($1) }
                }
                #expect(pushes.count == 1)
                #expect(try await push(text, to: group, in: service) == pushes.first)
            }
            try await service.waitForSent(2)
            try await service.core.journeyLog.flush()
            #expect(service.sender.sent.elements.count == 2)
        }
    }

    @Test("A mistake in the push itself is the answer to all")
    func errors() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let group = try await group([service.app], in: service)
            let stranger = try await service.addApp()
            func code(_ body: String, file: FileAudience = .refused) async throws -> Int {
                try await #require(throws: JPushError.self) {
                    try await push(body, to: group, file: file, in: service)
                }.code
            }
            #expect(try await code("{}") == 1002)
            #expect(try await code(pushBody(options: "\"override_msg_id\":1")) == 1003)
            #expect(try await code(pushBody(cid: stranger.key.makeCID())) == 1003)
            #expect(try await code(pushBody(cid: "\(group.key)-x")) == 1003)
            #expect(try await code(pushBody(), file: .required) == 1003)
            #expect(try await code(pushBody(audience: "{\"file\":{\"file_id\":\"x\"}}")) == 1003)
            #expect(service.sender.sent.elements.isEmpty)
        }
    }

    @Test("A group without apps has an answer without apps; an app that comes or goes is in the next push or not")
    func membership() async throws {
        try await TestService.run { service in
            try await service.addDevice()
            let group = try await group([], in: service)
            let none = try await push(pushBody(), to: group, in: service)
            #expect(none.answer.object?.keys == ["group_msgid"])
            try await service.store.changeGroup(group.id, adding: [service.app.id], removing: [])
            let joined = try #require(try await service.store.group(group.key))
            #expect(try await push(pushBody(), to: joined, in: service).messages.count == 1)
            try await service.waitForSent(1)
        }
    }

    @Test("An app that another process has made since the start is served")
    func newApp() async throws {
        try await TestService.run { service in
            let created = try await TestService.createApp("com.example.new", in: service.store, at: service.clock.date)
            let group = try await group([created.app], in: service)
            let push = try await push(pushBody(), to: group, in: service)
            #expect(push.answer.object?[created.app.key.text]?.object?["error"]?.object?["code"] == 1011)
        }
    }

    @Test("A file of the group serves all its apps; one of an app that app alone")
    func files() async throws {
        try await TestService.run { service in
            try await service.addDevice { $0.alias = "bob" }
            let other = try await service.addApp()
            try await service.addDevice(app: other) { $0.alias = "bob" }
            let group = try await group([service.app, other], in: service)
            func push(fileOf owner: String) async throws -> GroupPush {
                let file = try await service.core.files.create(
                    Array("bob".utf8)[...],
                    name: nil,
                    kind: .alias,
                    hours: nil,
                    owner: owner
                )
                let body = pushBody(audience: "{\"file\":{\"file_id\":\"\(file.id)\"}}")
                return try await self.push(body, to: group, file: .required, in: service)
            }
            #expect(try await push(fileOf: group.key.text).messages.count == 2)
            let one = try await push(fileOf: other.key.text)
            #expect(Array(one.messages.keys) == [other.id])
            #expect(one.answer.object?[service.app.key.text]?.object?["error"]?.object?["code"] == 1003)
            try await service.waitForSent(3)
        }
    }

    @Test("Broadcasts are limited by the day where the operator says so, for each app; others are not")
    func broadcasts() async throws {
        try await TestService.run(settings: { $0.broadcastsPerDay = 2 }) { service in
            #expect(try await service.refusal(pushBody()).code == 1011, "Which does not count.")
            try await service.addDevice { $0.alias = "bob" }
            let text = pushBody(cid: service.app.key.makeCID())
            let first = try await service.push(text)
            let group = try await group([service.app], in: service)
            #expect(try await push(pushBody(), to: group, in: service).messages.count == 1)
            let error = try await service.refusal(pushBody())
            #expect(error.code == 2008)
            #expect(error.status == 403)
            #expect(error.message.contains("2 times today"))
            let refused = try await push(pushBody(), to: group, in: service)
            #expect(refused.answer.object?[service.app.key.text]?.object?["error"]?.object?["code"] == 2008)
            #expect(try await service.push(text) == first, "A repeat is none.")
            _ = try await service.push(pushBody(audience: "{\"alias\":[\"bob\"]}"))
            // It is 16:00: eight hours to the next day.
            await service.clock.advance(by: .seconds(8 * 3600 - 1))
            #expect(try await service.refusal(pushBody()).code == 2008)
            await service.clock.advance(by: .seconds(1))
            _ = try await service.push(pushBody())
        }
    }
}
