import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Pushes in several languages", .suiteLimit)
struct LocalizedPushTests {
    private static let texts =
        #""alert":"plain {{city|here}}","x_localized":{"zh-Hans":"简 {{city|那里}}","zh-Hant":{"title":"繁"},"en":"hello"}"#

    @Test(
        "Each device gets the text of its language with its values, the plain one in another language, as the store has read it"
    )
    func dispatched() async throws {
        try await TestService.run { service in
            let languages = ["zh-Hans-CN", "zh-HK", "en-GB", "fr", nil, "no language"]
            var devices: [RegisteredDevice] = []
            for language in languages {
                devices.append(
                    try await service.addDevice { device in
                        device.language = language
                        device.attributes = ["city": "Ulm"]
                    }
                )
            }
            _ = try await service.push(pushBody(ios: Self.texts))
            try await service.waitForSent(languages.count)
            let wanted: [JSONValue] = ["简 Ulm", ["title": "繁"], "hello", "plain Ulm", "plain Ulm", "plain Ulm"]
            for (device, alert) in zip(devices, wanted) {
                let sent = try #require(service.sender.sent.elements.first { $0.push.token == device.token })
                #expect(try JSONValue(parsing: sent.push.payload).object?["aps"]?.object?["alert"] == alert)
            }
            // The language is read with the other columns of all devices.
            for device in try await service.store.allDevices() {
                #expect(device.audienceEntry.language == device.language)
            }
        }
    }

    @Test("A change of the language counts from the next push on, in reports too")
    func changed() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice { $0.language = "de" }
            try await service.addDevice { $0.language = "zh-Hant-HK" }
            let changed = try await service.store.updateDevice(device.id, note: nil) { $0.language = "en-US" }
            service.core.registry.apply([try #require(changed)])
            let result = try await service.push(pushBody(ios: Self.texts))
            try await service.waitForSent(2)
            let alerts = try service.sender.sent.elements.map {
                try JSONValue(parsing: $0.push.payload).object?["aps"]?.object?["alert"]
            }
            #expect(Set(alerts) == ["hello", ["title": "繁"]])
            try await eventually("no chunk is due") { try await service.store.nextDue() == nil }
            let found = try await service.core.reports.languages(of: [result.messageID], app: service.app.id)
            #expect(found.map(\.name) == ["en-US", "zh-Hant-HK"])
            #expect(found.allSatisfy { $0.counts.target == 1 && $0.counts.sent == 1 })
        }
    }
}
