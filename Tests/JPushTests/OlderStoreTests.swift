import DeviceLink
import Foundation
import JPush
import PosthornClient
import PosthornTesting
import PushModel
import Synchronization
import SystemPort
import Testing

@testable import JPushExtension

@Suite("What an earlier version of the SDK has stored on an emulated phone")
@MainActor
struct OlderStoreTests {
    private static let identity =
        #"{"installation":"i","app-key":"key","registration-id":"old","secret":"s","user-id":7,"stopped":false}"#

    /// An app whose earlier process has left these texts.
    private func stage(_ texts: [String: String]) async -> JPushStage {
        let stage = await JPushStage()
        stage.inside {
            for (name, text) in texts {
                CurrentPort.find().call(.writeStorage(key: "cn.jpush.\(name)", value: text)) { _ in }
            }
        }
        await stage.settle()
        await stage.relaunch()
        return stage
    }

    private static func texts(_ frames: [SDKRequest]) -> String {
        JSONValue.array(frames.map { .string(SDKFrame.request(number: 0, $0).text) }).text
    }

    @Test("Identity, position, unanswered requests and receipts are taken over, and sent once")
    func takenOver() async {
        let ended = SDKRequest.activityToken(id: "gone", nil)
        let requests: [SDKRequest] = [
            .setTags(["a"]), .badge(3), .voipToken(DeviceToken(bytes: [1]), .development), ended, .getAllTags,
        ]
        let stage = await stage([
            "identity": Self.identity,
            "position": #"{"registration-id":"old","position":5}"#,
            "requests": Self.texts(requests),
            "receipts": #"{"waiting":[[1,"received",9]],"told":[[1,"received"],[2,"opened"]]}"#,
            "receipts.extension": #"{"waiting":[[3,"received",9]],"told":[[3,"received"]]}"#,
        ])
        #expect(stage.inside { JPUSHService.registrationID() } == "old")
        await stage.setUp()
        let login = SDKFrame.login(
            appKey: "key",
            registrationID: "old",
            secret: "s",
            position: 5,
            takesMessages: true,
            zone: "GMT",
            appVersion: nil,
            language: "en"
        )
        #expect(stage.service.received.first == login)
        let receipts = [1, 3].map { SDKReceipt(messageID: $0, event: .received, time: 9) }
        #expect(stage.service.requests == [requests[2], ended, requests[0], requests[1], .receipts(receipts)])
        stage.inside {
            JPUSHService.handleRemoteNotification(["_j_msgid": 1])
            JPUSHService.handleRemoteNotification(["_j_msgid": 2])
        }
        await stage.settle()
        #expect(stage.service.state.withLock(\.receipts.count) == 3, "The first was reported; the second is new.")
        await stage.relaunch()
        await stage.setUp()
        #expect(stage.service.requests.count == 6)
        #expect(stage.service.registrations.isEmpty)
    }

    @Test(
        "Requests from before the registration are sent after it, and a position of another registration means nothing"
    )
    func unregistered() async {
        let stage = await stage([
            "requests": Self.texts([.setAlias("tom")]), "position": #"{"registration-id":"other","position":5}"#,
        ])
        await stage.setUp()
        #expect(stage.service.registrations.count == 1)
        #expect(stage.service.requests == [.setAlias("tom")])
        stage.service.drop()
        await stage.advance(by: .seconds(5))
        guard case .login(_, _, _, let position, _, _, _, _, _) = stage.service.logins.last else {
            Issue.record("no login")
            return
        }
        #expect(position == nil)
    }

    @Test("Push that was switched off stays off")
    func pushOff() async {
        let stage = await stage(["identity": Self.identity.replacing("false", with: "true")])
        await stage.setUp()
        #expect(await stage.code { JPUSHService.setTags(["a"], completion: $0, seq: 1) } == 6012)
    }

    @Test("Values that cannot be read are ignored", arguments: ["", "[]", "{}", "x", "[1]"])
    func strange(_ text: String) async {
        let names = ["identity", "position", "requests", "receipts", "receipts.extension", "in-app"]
        let stage = await stage(Dictionary(uniqueKeysWithValues: names.map { ($0, text) }))
        #expect(stage.inside { JPUSHService.registrationID() } == "")
        await stage.setUp()
        #expect(stage.service.registrations.count == 1)
        #expect(stage.service.requests.isEmpty)
    }

    @Test("The client's parts are in the app's store on the phone, by names of their own")
    func store() async throws {
        let stage = await JPushStage()
        let found: (Data?, [String], Data?) = try stage.inside {
            let store = PortStateStore(port: PortReference(CurrentPort.find()))
            let done = BoxedFlag()
            store.set(Data("x".utf8), for: "b") { _ in done.set() }
            store.set(Data("y".utf8), for: "a") { _ in }
            store.set(Data("z".utf8), for: "gone") { _ in }
            store.set(nil, for: "gone") { _ in }
            #expect(done.isSet, "The device has stored it within the call.")
            return Result { (try store.data(for: "b"), try store.keys(), try store.data(for: "gone")) }
        }.get()
        #expect(found.0 == Data("x".utf8))
        #expect(found.1 == ["a", "b"])
        #expect(found.2 == nil)
    }
}

private final class BoxedFlag: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock(\.self) }

    func set() { flag.withLock { $0 = true } }
}
