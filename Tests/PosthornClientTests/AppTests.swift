import Foundation
import Testing

@testable import PosthornClient

@Suite("The client's part in an app and in a service extension")
struct AppTests {
    @Test("A push names one file of a kind that notifications show, over HTTPS, with a limit")
    func media() throws {
        let media = try #require(PushMedia(["image": "https://example.com/a", "video": "https://example.com/b"]))
        #expect(media.kind == .image && media.url.path == "/a" && media.limit == 10_485_760)
        #expect(media.ending(of: "IMAGE/JPEG") == "jpg")
        #expect(media.ending(of: "video/mp4") == nil && media.ending(of: nil) == nil)
        #expect(PushMedia(["image": "http://example.com/a"]) == nil)
        #expect(PushMedia(["audio": "http://example.com/a", "video": "https://example.com/b"])?.kind == .video)
    }

    @Test("A push sets the number on the icon, or counts on from the last one, in a store that the app has")
    func badge() {
        let stage = EngineStage()
        let badge = PushBadge(store: stage)
        #expect(badge.next(["badge": "+1"]) == nil)
        #expect(stage.values.isEmpty)
        stage.write("{}", for: "state")
        #expect(badge.next(["badge": "+1"]) == 1)
        badge.set(0)
        let payloads: [[AnyHashable: Any]] = [
            ["badge": "+2"], [:], ["badge": "+1", "aps": ["badge": 7]], ["badge": "+1"], ["badge": 3], ["badge": "-5"],
            ["badge": "12"], ["badge": "many"], ["badge": "+99999"], ["badge": "+9223372036854775807"], ["badge": "+1"],
        ]
        #expect(payloads.map(badge.next) == [2, nil, nil, 8, 3, 0, 12, nil, 99_999, nil, 99_999])
        #expect(stage.values["badge"] == Data("99999".utf8))
    }

    @Test("A delivery ends once: with its last piece, or when the time is over")
    func gathering() {
        let ends = Guarded(0)
        let gathering = Gathering(of: 2) { ends.with { $0 += 1 } }
        gathering.ends()
        #expect(ends.with { $0 } == 0)
        gathering.ends()
        gathering.ends(2)
        #expect(ends.with { $0 } == 1)
    }

    @Test("The permission is what the settings say")
    func permission() {
        let found = (0...4).map { DeviceValues.Permission(status: $0, hasBanners: true, isScheduled: true) }
        #expect(found == [.notDetermined, .denied, .summary, .provisional, .ephemeral])
        #expect(DeviceValues.Permission(status: 2, hasBanners: true, isScheduled: false) == .authorized)
        #expect(DeviceValues.Permission(status: 2, hasBanners: false, isScheduled: true) == .bannersOff)
    }

    @Test("A response is the event of its action")
    func response() {
        #expect(Receipt.Event(action: "com.apple.UNNotificationDefaultActionIdentifier") == .opened)
        #expect(Receipt.Event(action: "com.apple.UNNotificationDismissActionIdentifier") == .dismissed)
        #expect(Receipt.Event(action: "reply") == .action)
    }

    @Test("The debug panel shows identity, token, queue and the last calls, and no secret")
    func facts() throws {
        let stage = EngineStage()
        let client = try stage.client()
        client.setDeviceToken(Data(repeating: 0xAB, count: 32))
        client.start()
        client.perform(.setBadge(3), completion: nil)
        stage.answer(EngineStage.registered)
        stage.answer("", status: 503)
        let facts = Dictionary(uniqueKeysWithValues: client.facts.map { ($0.name, $0.value) })
        #expect(facts["Registration"] == "id")
        #expect(facts["Token"]?.hasPrefix("abababab…") == true)
        #expect(facts["Waiting"] == "setBadge(3)")
        #expect(facts["Last calls"]?.contains("The registration: done\nThe operation 'setBadge': failed") == true)
        #expect(facts["Extension"] == "has never reported")
        #expect(!facts.values.contains { $0.contains(#""s""#) })
    }
}
