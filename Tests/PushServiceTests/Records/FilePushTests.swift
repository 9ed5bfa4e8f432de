import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Pushes to files and groups", .suiteLimit)
struct FilePushTests {
    private func file(
        _ lines: [String],
        _ kind: TargetKind = .alias,
        hours: Int? = nil,
        owner: String? = nil,
        in service: TestService
    ) async throws -> String {
        let content = Array(lines.joined(separator: "\n").utf8)
        let owner = owner ?? service.app.key.text
        return try await service.core.files.create(content[...], name: "a.txt", kind: kind, hours: hours, owner: owner)
            .id
    }

    private func body(_ file: String, options: String = "", cid: String? = nil) -> String {
        pushBody(audience: "{\"file\":{\"file_id\":\"\(file)\"}}", options: options, cid: cid)
    }

    private func push(_ body: String, in service: TestService) async throws -> PushResult {
        try await service.core.acceptor.accept(Array(body.utf8), for: service.app, file: .required)
    }

    @Test("Each device that a file names has the push once, and is explained")
    func aliases() async throws {
        try await TestService.run { service in
            let bob = try await service.addDevices(2) { $0.alias = "bob" }
            let ann = try await service.addDevice(environment: .development) { $0.alias = "ann" }
            let other = try await service.addDevice { $0.alias = "eve" }
            let file = try await file(["bob", "nobody", "ann", "bob"], in: service)
            let result = try await push(body(file), in: service)
            // What it held when the push came counts: it may go at once.
            try await service.core.files.delete(file, of: service.app.key.text)
            try await service.waitForSent(2)
            for device in bob { #expect(try await service.journey(result, device).verdict.state == .sent) }
            #expect(try await service.journey(result, ann).verdict.state == .suppressed)
            #expect(try await service.journey(result, other).verdict == .notInAudience)
            #expect(service.sender.sent.elements.count == 2)
        }
    }

    @Test("A file of many registration ids is sent in chunks; those of other apps and unknown ones match no device")
    func registrationIDs() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(5000)
            let stranger = try await service.addApp()
            let foreign = try await service.addDevice(app: stranger)
            let ids = devices.dropFirst(100).map { service.registrationID($0).text }
            let lines = ids + ["0123456789abcdef", service.registrationID(foreign).text] + ids.prefix(10)
            let file = try await file(lines, .registrationID, in: service)
            _ = try await push(body(file), in: service)
            try await service.waitForSent(4900)
            let tokens = service.sender.sent.elements.map(\.push.token)
            #expect(tokens.count == 4900)
            #expect(Set(tokens) == Set(devices.dropFirst(100).compactMap(\.token)))
        }
    }

    @Test("A file that is not the app's, or is over, is 1003; one that names nobody is 1011")
    func errors() async throws {
        try await TestService.run { service in
            try await service.addDevice { $0.alias = "bob" }
            func refusal(_ body: String) async throws -> JPushError {
                try await #require(throws: JPushError.self) { try await push(body, in: service) }
            }
            let stranger = try await service.addApp()
            let foreign = try await file(["bob"], owner: stranger.key.text, in: service)
            #expect(try await refusal(body(foreign)).status == 404)
            #expect(try await refusal(body("x")).code == 1003)
            let stale = try await file(["nobody"], in: service)
            #expect(try await refusal(body(stale)).code == 1011)
            #expect(try await refusal(pushBody()).code == 1003)
            let short = try await file(["bob"], hours: 1, in: service)
            #expect(try await service.refusal(body(short)).code == 1003, "POST /v3/push takes no files.")
            await service.clock.advance(by: .seconds(3599))
            _ = try await push(body(short), in: service)
            try await service.waitForSent(1)
            await service.clock.advance(by: .seconds(1))
            #expect(try await refusal(body(short)).code == 1003)
        }
    }

    @Test("A repeated cid gets the first answer, also when the file is gone")
    func repeated() async throws {
        try await TestService.run { service in
            try await service.addDevice { $0.alias = "bob" }
            let file = try await file(["bob"], in: service)
            let text = body(file, cid: service.app.key.makeCID())
            let first = try await push(text, in: service)
            try await service.core.files.delete(file, of: service.app.key.text)
            #expect(try await push(text, in: service) == first)
            try await service.waitForSent(1)
        }
    }

    @Test("A schedule names a file that is there, and fires to whom it names; a file that is gone is told")
    func schedule() async throws {
        try await TestService.run { service in
            try await service.addDevice { $0.alias = "bob" }
            let file = try await file(["bob"], hours: 2, in: service)
            let book = service.core.schedules
            // Virtual time begins on 1 January 2026 at 08:00 UTC: 16:00 in China.
            func schedule(_ file: String, _ time: String) async throws -> UUID {
                let text = """
                    {"name":"n","enabled":true,"trigger":{"single":{"time":"2026-01-01 \(time)"}},"push":\(body(file))}
                    """
                return try await book.create(Array(text.utf8), for: service.app).id
            }
            let error = await #expect(throws: JPushError.self) { try await schedule("x", "17:00:00") }
            #expect(error?.code == 8100)
            let first = try await schedule(file, "17:00:00")
            let second = try await schedule(file, "18:30:00")
            let changed = await #expect(throws: JPushError.self) {
                try await book.change(first.uuidString, of: service.app, Array("{\"push\":\(body("x"))}".utf8))
            }
            #expect(changed?.code == 8100)
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(3600))
            try await service.waitForSent(1)
            try await service.untilAsleep()
            await service.clock.advance(by: .seconds(5400))
            try await eventually("the second schedule has fired") {
                try await !book.firings(second.uuidString, of: service.app.id).isEmpty
            }
            let firing = try #require(try await book.firings(second.uuidString, of: service.app.id).first)
            #expect(firing.messageID == nil)
            #expect(firing.error?.message.contains("There is no file") == true)
            #expect(service.sender.sent.elements.count == 1)
        }
    }

    @Test("An app has 20 files at once, and a file is 10 MB at most")
    func limits() async throws {
        try await TestService.run { service in
            for _ in 0..<20 { _ = try await file(["bob"], hours: 1, in: service) }
            let error = await #expect(throws: JPushError.self) { try await file(["bob"], in: service) }
            #expect(error?.code == 1003)
            await service.clock.advance(by: .seconds(3600))
            let large = [UInt8](repeating: 0x0A, count: JPushLimits.fileBytes + 1)
            for (content, hours) in [(large, 1), ([0x61], 0), ([0x61], 721)] {
                let error = await #expect(throws: JPushError.self) {
                    try await service.core.files.create(
                        content[...],
                        name: nil,
                        kind: .alias,
                        hours: hours,
                        owner: service.app.key.text
                    )
                }
                #expect(error?.code == 1003)
            }
            _ = try await file(["bob"], hours: 720, in: service)
        }
    }
}
