import Foundation
import Intents
import PosthornTesting
import PushDevice
import PushModel
import SourceCompatibility5
import SystemPort
import TestSupport
import Testing
import UIKit

private let app = InstalledApp(bundleID: "com.example.chat")

@Suite("Communication notifications, driven")
@MainActor
struct MessageDrivenTests {
    /// The first bytes of a PNG file: enough for its type.
    private static let avatar = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])
    private static let badge = Data("GIF89a".utf8) + Data(count: 10)

    private func phone(
        _ major: Int = 17,
        _ app: InstalledApp = app,
        serviceExtension: @escaping @MainActor @Sendable () -> UNNotificationServiceExtension = { MessageService() }
    ) async -> TestPhone {
        let phone = TestPhone(.iOS(major))
        phone.install(app, serviceExtension: serviceExtension) { CurrentApp() }
        await phone.open(app)
        await phone.background(app)
        return phone
    }

    @discardableResult
    private func push(_ info: JSONObject, to phone: TestPhone, level: String = "active") async -> String {
        let text: JSONObject = ["title": "New message", "subtitle": "Chat", "body": "Are you there?"]
        let aps: JSONObject = [
            "alert": .object(text), "mutable-content": 1, "thread-id": "c1", "interruption-level": .string(level),
        ]
        var payload = info
        payload["aps"] = .object(aps)
        return await phone.push(.object(payload), to: app)
    }

    private static let ann: JSONObject = ["from": "ann", "name": "Ann Lee"]
    private static let shown: [JourneyEvent.Kind] = [
        .serviceExtension(.ran), .presented(.banner), .presented(.list),
    ]
    private static let held: [JourneyEvent.Kind] = [.serviceExtension(.ran), .suppressed(.scheduledSummary)]

    /// The kinds of what happened, without callbacks.
    private func kinds(_ push: String, on phone: TestPhone) -> [JourneyEvent.Kind] {
        phone.journeys.kinds(of: push).filter { if case .callback = $0 { false } else { true } }
    }

    @Test("A message from a person breaks through the scheduled summary by default", arguments: [15, 17, 26, 27])
    func breaksThroughSummary(_ major: Int) async {
        let phone = await phone(major)
        phone.device.changeSettings(of: app.bundleID) { $0.scheduledDelivery = true }
        #expect(kinds(await push(Self.ann, to: phone), on: phone) == Self.shown)
        #expect(phone.device.screen.banner?.title == "Ann Lee")
        // Without a name it is an ordinary one.
        #expect(kinds(await push([:], to: phone), on: phone) == Self.held)
        #expect(kinds(await push(Self.ann, to: phone, level: "passive"), on: phone) == Self.held)
    }

    @Test("A message from a person waits for the summary if the user has switched direct messages off")
    func directMessagesOff() async {
        let phone = await phone()
        let setting = await phone.device.inside(app.bundleID) {
            await UNUserNotificationCenter.current().notificationSettings().directMessagesSetting
        }
        #expect(setting == .enabled)
        phone.device.changeSettings(of: app.bundleID) { settings in
            settings.scheduledDelivery = true
            settings.directMessages = false
        }
        #expect(kinds(await push(Self.ann, to: phone), on: phone) == Self.held)
    }

    @Test("Without the entitlement it is shown as an ordinary one, waits for the summary, and the log says why")
    func withoutEntitlement() async {
        var plain = app
        plain.entitlements = [.timeSensitive]
        let phone = await phone(17, plain)
        let setting = await phone.device.inside(app.bundleID) {
            await UNUserNotificationCenter.current().notificationSettings().directMessagesSetting
        }
        #expect(setting == .notSupported)
        await push(Self.ann, to: phone)
        #expect(phone.device.screen.banner?.title == "New message")
        let warnings = phone.device.recentDeviceEvents.compactMap { event in
            if case .warning(let text) = event.kind { text } else { nil }
        }
        #expect(warnings.contains { $0.contains("com.apple.developer.usernotifications.communication") })
        phone.device.changeSettings(of: app.bundleID) { $0.scheduledDelivery = true }
        #expect(kinds(await push(Self.ann, to: phone), on: phone) == Self.held)
    }

    @Test("A missed call shows the caller's name and picture, and breaks through the summary", arguments: [15, 17, 27])
    func missedCall(_ major: Int) async {
        let phone = await phone(major) { MissedCallService() }
        phone.device.changeSettings(of: app.bundleID) { $0.scheduledDelivery = true }
        let info: JSONObject = [
            "number": "+43 1 234", "name": "Ann Lee", "picture": .string(Self.avatar.base64EncodedString()),
        ]
        #expect(kinds(await push(info, to: phone), on: phone) == Self.shown)
        #expect(phone.device.screen.banner?.title == "Ann Lee")
        #expect(phone.device.screen.banner?.subtitle == "Chat")
        #expect(phone.device.screen.banner?.picture == Self.avatar)
        // Without a name the number is shown, and without both the intent provides nothing.
        await push(["number": "+43 1 234"], to: phone)
        #expect(phone.device.screen.banner?.title == "+43 1 234")
        await push([:], to: phone)
        #expect(phone.device.screen.upcoming.first?.title == "New message")
    }

    @Test("The intent of a call keeps what it is given, and needs a contact with a name to provide content")
    func callIntent() {
        let people = [ConversationIntents().me()]
        let filter = INCallRecordFilter(
            participants: people,
            callTypes: [.missed, .latest],
            callCapability: .videoCall
        )
        let intent = INStartCallIntent(
            callRecordFilter: filter,
            callRecordToCallBack: nil,
            audioRoute: .speakerphoneAudioRoute,
            destinationType: .redial,
            contacts: people,
            callCapability: .videoCall
        )
        #expect(intent.callRecordFilter?.callTypes.rawValue == 10)
        #expect(intent.callRecordFilter?.participants == people)
        #expect(intent.destinationType == .redial)
        #expect(intent.audioRoute.rawValue == 1)
        #expect(INCallRecordType.onHold.rawValue == 8)
        #expect((try? UNMutableNotificationContent().updating(from: intent)) != nil)
        for contacts in [nil, []] as [[INPerson]?] {
            do {
                _ = try UNMutableNotificationContent().updating(
                    from: INStartCallIntent(contacts: contacts, callCapability: .audioCall)
                )
                Issue.record("an intent without a contact was taken")
            } catch {
                #expect((error as? UNError)?.code == .contentProvidingInvalid)
            }
        }
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
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "avatar.png")
            try Self.avatar.write(to: file)
            #expect(try #require(INImage(url: file)).bytes == Self.avatar)
            #expect(INImage(imageData: Self.badge).bytes == Self.badge)
            #expect(INImage(named: "no such picture").bytes == nil)
        }
    }
}
