import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

@Suite("Rules of payloads")
@MainActor
struct PayloadRules {
    private func opened() async -> TestPhone {
        let phone = await TestPhone().opening { RecordingApp() }
        return phone
    }

    /// The part of a payload that the app gets.
    private func content(_ json: JSONValue) async throws -> UNNotificationContent {
        let phone = await opened()
        await phone.push(json, to: .lab)
        let app = try phone.delegate(RecordingApp.self)
        return try #require(app.presented.first?.request.content)
    }

    @Test("An alert that is a string is the body, one that is a dictionary has title, subtitle, body and launch image")
    func alert() async throws {
        let text = try await content(["aps": ["alert": "Hello"]])
        #expect([text.title, text.subtitle, text.body] == ["", "", "Hello"])
        let parts = try await content([
            "aps": ["alert": ["title": "T", "subtitle": "S", "body": "B", "launch-image": "L"]]
        ])
        #expect([parts.title, parts.subtitle, parts.body, parts.launchImageName] == ["T", "S", "B", "L"])
    }

    @Test("Texts by key come from the app's strings with their arguments; a key of theirs goes before a plain text")
    func keys() async throws {
        var app = InstalledApp.lab
        app.strings = ["en": ["T": "%@ wrote", "S": "in %@", "B": "%2$@, %1$@"]]
        let phone = await TestPhone().opening(app) { RecordingApp() }
        await phone.background(app)
        await phone.push(
            [
                "aps": [
                    "alert": [
                        "title-loc-key": "T", "title-loc-args": ["Ann"], "subtitle-loc-key": "S",
                        "subtitle-loc-args": ["Chat"], "loc-key": "B", "loc-args": ["a", "b"],
                    ]
                ]
            ],
            to: app
        )
        await phone.push(
            [
                "aps": [
                    "alert": [
                        "title": "Plain", "title-loc-key": "T", "title-loc-args": ["Bo"], "subtitle": "Old",
                        "subtitle-loc-key": "None", "loc-key": "None",
                    ]
                ]
            ],
            to: app
        )
        let list = phone.device.screen.list
        #expect(list.map(\.title) == ["Bo wrote", "Ann wrote"])
        #expect(list.map(\.subtitle) == ["Old", "in Chat"])
        #expect(list.map(\.body) == ["None", "b, a"])
    }

    @Test(
        "In a language without strings the texts are those of the app's development language",
        arguments: [nil, "fr"]
    )
    func developmentLanguage(_ region: String?) async throws {
        let info: JSONObject = region.map { ["CFBundleDevelopmentRegion": .string($0)] } ?? [:]
        var app = InstalledApp(bundleID: "com.example.languages", info: info)
        app.strings = ["en": ["T": "Hello"], "fr": ["T": "Bonjour"], "de": ["B": "Text"]]
        let phone = await TestPhone().opening(app) { RecordingApp() }
        await phone.background(app)
        for language in ["ja", "de"] {
            await phone.perform { $0.setLanguage(language) }
            await phone.push(["aps": ["alert": ["title-loc-key": "T"]]], to: app)
        }
        // German strings are there, without this one.
        #expect(phone.device.screen.list.map(\.title) == ["T", region == nil ? "Hello" : "Bonjour"])
    }

    @Test("The remaining keys become properties of the content")
    func keysOfContent() async throws {
        let content = try await content([
            "aps": [
                "alert": "Hi", "badge": 3, "thread-id": "t", "category": "c", "target-content-id": "w",
                "relevance-score": 0.5, "filter-criteria": "f", "interruption-level": "critical",
            ]
        ])
        #expect(content.badge == 3 && content.threadIdentifier == "t" && content.categoryIdentifier == "c")
        #expect(content.targetContentIdentifier == "w" && content.filterCriteria == "f")
        #expect(content.relevanceScore == 0.5 && content.interruptionLevel == .critical)
    }

    @Test(
        "The four interruption levels by their words; none and an unknown one are active",
        arguments: [
            ("passive", UNNotificationInterruptionLevel.passive), ("active", .active),
            ("time-sensitive", .timeSensitive), ("critical", .critical), ("", .active), ("loud", .active),
        ]
    )
    func levels(_ word: String, _ level: UNNotificationInterruptionLevel) async throws {
        var aps: JSONObject = [:]
        if !word.isEmpty { aps["interruption-level"] = .string(word) }
        #expect(try await content(.texted(aps)).interruptionLevel == level)
    }

    @Test("A sound is a file's name, default, or a dictionary with critical, name and volume; true counts as 1")
    func sounds() async throws {
        #expect(try await content(.texted(["sound": "default"])).sound == .default)
        let named = UNNotificationSound(named: UNNotificationSoundName("bell.caf"))
        #expect(try await content(.texted(["sound": "bell.caf"])).sound == named)
        for critical in [1, true] as [JSONValue] {
            let json: JSONValue = .texted(["sound": ["critical": critical, "name": "bell.caf", "volume": 0.5]])
            let name = UNNotificationSoundName("bell.caf")
            #expect(try await content(json).sound == .criticalSoundNamed(name, withAudioVolume: 0.5))
        }
        #expect(try await content(.texted([:])).sound == nil)
    }

    @Test("userInfo is the whole payload, with numbers as NSNumber; true equals 1 there")
    func userInfo() async throws {
        let json: JSONValue = ["aps": ["alert": "Hi", "badge": 2], "a": 1, "b": true, "c": ["d": [1.5]]]
        let info = try await content(json).userInfo
        #expect(info.keys.count == 4)
        #expect((info["aps"] as? [String: Any])?["alert"] as? String == "Hi")
        #expect((info["a"] as? NSNumber)?.intValue == 1 && (info["b"] as? NSNumber) == 1)
        #expect((info["c"] as? [String: [Double]]) == ["d": [1.5]])
    }

    @Test("Silent push: content-available alone wakes the app in the background and shows nothing")
    func silentPush() async {
        let phone = await opened()
        await phone.background(.lab)
        for wake in [1, true] as [JSONValue] {
            let push = await phone.push(["aps": ["content-available": wake]], to: .lab)
            #expect(
                phone.journeys.kinds(of: push) == [
                    .woken(.background),
                    .callback(
                        name: "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)",
                        state: .background
                    ), .finished(.newData),
                ]
            )
        }
        #expect(phone.device.screen.list.isEmpty && phone.device.screen.banner == nil)
        let none = await phone.push(["aps": ["content-available": 0]], to: .lab)
        #expect(phone.journeys.kinds(of: none) == [.suppressed(.noText)])
    }

    @Test("Silent push: it needs no permission to notify", arguments: [PromptPolicy.deny, .ask])
    func silentWithoutPermission(_ prompts: PromptPolicy) async {
        let phone = await TestPhone(prompts: prompts).opening { PlainApp() }
        await phone.background(.lab)
        let push = await phone.push(.silent, to: .lab)
        #expect(phone.journeys.kinds(of: push).first == .woken(.background))
        #expect(phone.journeys.kinds(of: push).last == .finished(.newData))
        let alert = await phone.push(.alert, to: .lab)
        let reason: SuppressionReason = prompts == .deny ? .permissionDenied : .permissionNotDetermined
        #expect(phone.journeys.kinds(of: alert) == [.suppressed(reason)])
    }

    @Test("Silent push: alert, sound or badge beside content-available make it one for the user too")
    func notSilent() async {
        let phone = await opened()
        await phone.background(.lab)
        for aps in [["alert": "Hi"], ["sound": "default"], ["badge": 1]] as [JSONObject] {
            var aps = aps
            aps["content-available"] = 1
            let push = await phone.push(["aps": .object(aps)], to: .lab)
            let kinds = phone.journeys.kinds(of: push)
            #expect(kinds.contains(.woken(.background)))
            #expect(kinds.contains { if case .presented = $0 { true } else { false } })
        }
    }

    @Test("A badge or a sound without text reaches the user without banner and entry, and asks willPresent in front")
    func badgeOnly() async throws {
        let phone = await opened()
        await phone.push(["aps": ["badge": 4]], to: .lab)
        let app = try phone.delegate(RecordingApp.self)
        #expect(app.presented.count == 1)
        await phone.background(.lab)
        let push = await phone.push(["aps": ["badge": 5, "sound": "default"]], to: .lab)
        #expect(phone.device.screen.badges == [lab: 5])
        #expect(phone.device.screen.list.isEmpty && phone.device.screen.banner == nil)
        #expect(
            phone.journeys.kinds(of: push) == [.presented(.sound), .presented(.badge), .suppressed(.noText)]
        )
    }

    @Test(
        "ios-library #118, cordova-plugin-push #313: an alert without text is nothing for the user, and willPresent not asked",
        arguments: ["" as JSONValue, [:], .null, ["body": ""], ["title": "", "loc-args": ["a"]]]
    )
    func ioslibrary118_emptyAlert(_ alert: JSONValue) async throws {
        let phone = await opened()
        let push = await phone.push(["aps": ["alert": alert]], to: .lab)
        let app = try phone.delegate(RecordingApp.self)
        #expect(app.presented.isEmpty)
        #expect(phone.journeys.kinds(of: push) == [.suppressed(.noText)])
        await phone.push(["aps": ["alert": ["title": "t"]]], to: .lab)
        #expect(app.presented.map(\.request.content.title) == ["t"])
        // With content-available the push is silent.
        let fetched = await phone.push(["aps": ["alert": alert, "content-available": 1]], to: .lab, type: .background)
        #expect(phone.journeys.kinds(of: fetched).last == .finished(.newData))
        #expect(app.presented.count == 1)
    }

    @Test("Before iOS 10 the app delegate in front hears of every push, one without text as well")
    func emptyAlertBefore10() async {
        let phone = await TestPhone(.iOS(9)).opening { LegacyMatrixApp.make(MatrixAppPlan()) }
        let push = await phone.push(["aps": ["alert": ""]], to: .lab)
        #expect(phone.journeys.callbacks(of: push) == ["\(Self.fetch)@active"])
        await phone.background(.lab)
        let later = await phone.push(["aps": ["alert": ""]], to: .lab)
        #expect(phone.journeys.kinds(of: later) == [.suppressed(.noText)])
    }

    private static let fetch = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"

    @Test("A push that meets the app in front says so, and on iOS 9 that nothing was shown", arguments: [9, 17])
    func verdictInFront(_ major: Int) async {
        let phone = TestPhone(.iOS(major))
        phone.install(.lab) {
            major < 10 ? LegacyMatrixApp.make(MatrixAppPlan()) : CompleteMatrixApp.make(MatrixAppPlan())
        }
        await phone.open(.lab)
        func sentence(_ payload: JSONValue) async -> String {
            Verdict(phone.journeys.events(of: await phone.push(payload, to: .lab))).sentence
        }
        #expect(await sentence(.silent) == "the app was in front and fetched new data")
        for payload in [JSONValue.alert, .alertAndContent] {
            let seen = await sentence(payload)
            if major < 10 {
                #expect(seen.hasPrefix("the app was in front and fetched new data; not shown: the app was in front"))
            } else {
                #expect(seen.hasPrefix("shown"))
            }
        }
        await phone.background(.lab)
        #expect(await sentence(.silent) == "the app ran in the background and fetched new data")
    }

    @Test("AppleApnPush #33: null among the arguments is shown as iOS shows it, and true as 1")
    func appleapnpush33_nullArgument() async {
        var app = InstalledApp.lab
        app.strings = ["en": ["B": "%@ and %@"]]
        let phone = await TestPhone().opening(app) { RecordingApp() }
        await phone.background(app)
        for arguments in [[.null, "b"], [true, 2.5]] as [[JSONValue]] {
            await phone.push(["aps": ["alert": ["loc-key": "B", "loc-args": .array(arguments)]]], to: app)
        }
        #expect(phone.device.screen.list.map(\.body) == ["1 and 2.5", "<null> and b"])
    }

    @Test("The newest held silent push alone survives, and a force-quit discards it")
    func held() async {
        let phone = await opened()
        phone.device.setSilentWakesPerHour(0)
        await phone.background(.lab)
        let first = await phone.push(.silent, to: .lab)
        let second = await phone.push(.silent, to: .lab)
        #expect(phone.journeys.kinds(of: first) == [.suppressed(.budget), .coalesced])
        await phone.forceQuit(.lab)
        #expect(phone.journeys.kinds(of: second) == [.suppressed(.budget), .suppressed(.forceQuit)])
    }

    @Test("A payload may have 4096 bytes, one of VoIP 5120")
    func limits() {
        #expect(APNSPushType.alert.payloadLimit == 4096 && APNSPushType.background.payloadLimit == 4096)
        #expect(APNSPushType.voip.payloadLimit == 5120)
    }
}
