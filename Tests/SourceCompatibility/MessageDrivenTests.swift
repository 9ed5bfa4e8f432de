import Foundation
import Intents
import PosthornTesting
import PushDevice
import PushModel
import SourceCompatibility5
import SystemPort
import Testing
import UIKit

private let app = InstalledApp(bundleID: "com.example.chat")

@Suite("Communication notifications, driven")
@MainActor
struct MessageDrivenTests {
    /// The first bytes of a PNG file: enough for its type.
    private static let avatar = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])
    private static let badge = Data("GIF89a".utf8) + Data(count: 10)

    private func phone() async -> TestPhone {
        let phone = TestPhone(.iOS(17))
        phone.install(app, serviceExtension: { MessageService() }) { CurrentApp() }
        await phone.open(app)
        await phone.background(app)
        return phone
    }

    private func push(_ info: JSONObject, to phone: TestPhone) async {
        let text: JSONObject = ["title": "New message", "subtitle": "Chat", "body": "Are you there?"]
        let aps: JSONObject = ["alert": .object(text), "mutable-content": 1, "thread-id": "c1"]
        var payload = info
        payload["aps"] = .object(aps)
        await phone.push(.object(payload), to: app)
    }

    @Test("The sender's name and picture stand on the banner, and the content keeps its texts")
    func sender() async throws {
        let phone = await phone()
        await push(
            ["from": "ann", "name": "Ann Lee", "picture": .string(Self.avatar.base64EncodedString())],
            to: phone
        )
        let banner = try #require(phone.device.screen.banner)
        #expect(banner.title == "Ann Lee")
        #expect(banner.subtitle == "Chat")
        #expect(banner.body == "Are you there?")
        #expect(banner.picture == Self.avatar)
        #expect(banner.notification.content.title == "New message")
        #expect(banner.notification.content.sender?.conversation == "c1")
        let state = try #require(phone.device.phoneState.banner)
        #expect(state.title == "Ann Lee")
        #expect(state.picture == "data:image/png;base64,\(Self.avatar.base64EncodedString())")
    }

    @Test("In a group its name is the subtitle, and its picture takes the place of the sender's")
    func group() async throws {
        let phone = await phone()
        await push(
            [
                "from": "ann", "name": "Ann Lee", "group": "Hikers",
                "picture": .string(Self.avatar.base64EncodedString()),
                "groupPicture": .string(Self.badge.base64EncodedString()),
            ],
            to: phone
        )
        let banner = try #require(phone.device.screen.banner)
        #expect(banner.title == "Ann Lee")
        #expect(banner.subtitle == "Hikers")
        #expect(banner.picture == Self.badge)
    }

    @Test("Without a name the intent provides nothing, and the push is shown as it came")
    func nameless() async throws {
        let phone = await phone()
        await push([:], to: phone)
        let banner = try #require(phone.device.screen.banner)
        #expect(banner.title == "New message")
        #expect(banner.picture == nil)
        #expect(throws: UNError.self) {
            _ = try UNMutableNotificationContent().updating(from: ConversationIntents().beforeMessageTypes(nil))
        }
    }

    @Test("Hidden previews hide the sender as they hide the title")
    func hiddenPreviews() async throws {
        let phone = await phone()
        phone.device.changeSettings(of: app.bundleID) { $0.showPreviews = 2 }
        await push(["from": "ann", "name": "Ann", "picture": .string(Self.avatar.base64EncodedString())], to: phone)
        let banner = try #require(phone.device.screen.banner)
        #expect(banner.title.isEmpty)
        #expect(banner.picture == nil)
    }

    @Test("The context of a message with formatted text provides sender and text")
    func formatted() throws {
        let content = UNMutableNotificationContent()
        content.body = "plain"
        let intents = ConversationIntents()
        let context = UNNotificationAttributedMessageContext(
            sendMessageIntent: intents.beforeMessageTypes(intents.me()),
            attributedContent: NSAttributedString(string: "bold")
        )
        let updated = try content.updating(from: context)
        #expect(updated.body == "bold")
        #expect(content.body == "plain")
        let record = try updated.record()
        #expect(record.sender?.name == "Mei Lin")
        #expect(record.sender?.group == "Friends")
        #expect(updated != content)
        let copy = try #require(updated.mutableCopy() as? UNMutableNotificationContent)
        #expect(copy == updated)
    }

    @Test("The initialisers of iOS 10 and 11 keep what they are given")
    func earlier() {
        let intents = ConversationIntents()
        let oldest = intents.oldest(group: "Hikers", sender: "Bo")
        #expect(oldest.speakableGroupName == INSpeakableString(spokenPhrase: "Hikers"))
        #expect(oldest.sender?.displayName == "Bo")
        #expect(oldest.sender?.personHandle?.type == .emailAddress)
        #expect(oldest.sender?.personHandle?.label == .work)
        #expect(oldest.sender?.suggestionType == .socialProfile)
        #expect(oldest.outgoingMessageType == .unknown)
        let later = intents.beforeMessageTypes(intents.me())
        #expect(later.recipients == [intents.me()])
        #expect(later.content == "Hello")
        #expect(later.serviceName == "Chat")
        #expect(later.sender?.isMe == true)
        #expect((later.donationMetadata as? INSendMessageIntentDonationMetadata)?.mentionsCurrentUser == true)
    }

    @Test(
        "A name is made of its components: in Han the family's first",
        arguments: [("Mei", "Lin", "Mei Lin"), ("美", "林", "林美")]
    )
    func names(_ given: String, _ family: String, _ whole: String) {
        var components = PersonNameComponents()
        components.givenName = given
        components.familyName = family
        let person = INPerson(
            personHandle: INPersonHandle(value: "1", type: .phoneNumber),
            nameComponents: components,
            displayName: nil,
            image: nil,
            contactIdentifier: nil,
            customIdentifier: nil,
            relationship: .friend
        )
        #expect(person.displayName == whole)
        #expect(person.relationship == .friend)
    }

    @Test("Donations succeed, and a picture comes from data or a file")
    func donations() async throws {
        let intents = ConversationIntents()
        var outcomes: [String] = []
        intents.donate(intents.oldest(group: nil, sender: "Bo")) { outcomes.append("\($0 == nil)") }
        #expect(outcomes == ["true"])
        try await INInteraction(intent: intents.oldest(group: nil, sender: "Bo"), response: nil).donate()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        try Self.avatar.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try #require(INImage(url: file)).bytes == Self.avatar)
        #expect(INImage(imageData: Self.badge).bytes == Self.badge)
        #expect(INImage(named: "no such picture").bytes == nil)
    }
}
