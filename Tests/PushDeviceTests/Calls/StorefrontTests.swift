import PosthornTesting
import PushDevice
import Testing

/// Source: letters of App Review that developers have posted (jitsi/jitsi-meet#3152, flutter_callkit_incoming#359).
@Suite("The storefront of mainland China")
@MainActor
struct StorefrontTests {
    private static let caution = "App Review has refused such apps"

    @Test("An app with CallKit gets a caution at its start with the storefront CHN alone, and works as elsewhere")
    func callKit() async {
        for country in ["USA", "CHN"] {
            let phone = TestPhone()
            phone.device.setStorefront(country)
            phone.install(.caller) { CallApp() }
            await phone.open(.caller)
            #expect(phone.run.contains(Self.caution) == (country == "CHN"), "\(phone.run)")
            await phone.background(.caller)
            await phone.push(voIP: ["uuid": .string(CallStage.ann)], to: .caller)
            #expect(phone.ringingCall != nil)
        }
    }

    @Test("The language does not decide, and LiveCommunicationKit needs no caution")
    func others() async {
        let chinese = TestPhone()
        await chinese.perform { $0.setLanguage("zh-Hans") }
        chinese.install(.caller) { CallApp() }
        await chinese.open(.caller)
        #expect(!chinese.run.contains(Self.caution))
        let phone = TestPhone(SystemProfile(version: "26.4"))
        phone.device.setStorefront("CHN")
        phone.install(.caller) { ConversationApp() }
        await phone.open(.caller)
        #expect(!phone.run.contains(Self.caution))
    }
}
