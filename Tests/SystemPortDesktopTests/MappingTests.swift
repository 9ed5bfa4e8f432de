import SystemPort
import SystemPortDesktop
import Testing

@Suite("Notifications as the desktop's")
struct MappingTests {
    private static func server(_ capabilities: [String], specification: String = "1.2") -> NotificationServer {
        NotificationServer(owner: ":1.5", specification: specification, capabilities: Set(capabilities))
    }

    private static let app: AppEntry = {
        var app = AppEntry(bundleID: "org.example.Tea", name: "Tea timer")
        app.desktopEntry = "org.example.Tea"
        app.icon = "tea"
        return app
    }()

    private static let everything: UInt = SettingsRecord.alert | SettingsRecord.sound | SettingsRecord.badge

    private static func arguments(
        _ content: ContentRecord,
        _ category: CategoryRecord? = nil,
        server: NotificationServer = server(["actions", "body", "body-markup", "sound"]),
        allowed: UInt = everything
    ) -> NotifyArguments {
        NotificationMapping(app: app, server: server, allowed: allowed).arguments(for: content, category: category)
    }

    private static var tea: ContentRecord {
        var content = ContentRecord()
        content.title = "Tea <hot>"
        content.subtitle = "Green & white"
        content.body = "3 > 2 minutes"
        return content
    }

    @Test("A subtitle is the first line, and markup is escaped where the server reads it, not in the summary")
    func texts() {
        let marked = Self.arguments(Self.tea)
        #expect(marked.summary == "Tea <hot>")
        #expect(marked.body == "<b>Green &amp; white</b>\n3 &gt; 2 minutes")
        let plain = Self.arguments(Self.tea, server: Self.server(["body"]))
        #expect(plain.body == "Green & white\n3 > 2 minutes")
        let none = Self.arguments(Self.tea, server: Self.server([]))
        #expect(none.summary == "Tea <hot>: Green & white, 3 > 2 minutes" && none.body.isEmpty)
    }

    @Test("Without a title the summary is the app's name")
    func noTitle() {
        var content = ContentRecord()
        content.body = "Ready"
        let arguments = Self.arguments(content)
        #expect(arguments.summary == "Tea timer" && arguments.body == "Ready")
        #expect(arguments.appName == "Tea timer" && arguments.icon == "tea")
        #expect(arguments.hints["desktop-entry"] == .string("org.example.Tea"))
    }

    private static var category: CategoryRecord {
        var reply = ActionRecord(identifier: "REPLY", title: "Reply", options: 0)
        reply.textInput = TextInputRecord(buttonTitle: "Send", placeholder: "Your answer")
        let actions = [ActionRecord(identifier: "default", title: "Snooze", options: 0), reply]
        return CategoryRecord(identifier: "TEA", actions: actions, intentIdentifiers: [], options: 0)
    }

    @Test("A click and the category's buttons are actions, where the server has them")
    func actions() {
        let shown = Self.arguments(Self.tea, Self.category)
        #expect(shown.actions.map(\.key) == ["default", "action:default"], "No button takes the place of the click.")
        #expect(shown.actions.map(\.label) == ["Tea timer", "Snooze"])
        #expect(Self.arguments(Self.tea, Self.category, server: Self.server(["body"])).actions.isEmpty)
        #expect(ActionKey.identifier(for: "default", in: Self.category) == ResponseRecord.defaultAction)
        #expect(ActionKey.identifier(for: "action:default", in: Self.category) == "default")
        #expect(ActionKey.identifier(for: "action:OTHER", in: Self.category) == nil)
    }

    @Test("A text is asked for where the server has a field, and the button is left out elsewhere")
    func reply() {
        let shown = Self.arguments(Self.tea, Self.category, server: Self.server(["actions", "inline-reply"]))
        #expect(shown.actions.map(\.key) == ["default", "action:default", "inline-reply"])
        #expect(shown.hints["x-kde-reply-placeholder-text"] == .string("Your answer"))
        #expect(shown.hints["x-kde-reply-submit-button-text"] == .string("Send"))
        #expect(ActionKey.identifier(for: "inline-reply", in: Self.category) == "REPLY")
    }

    @Test("A sound is the theme's, or the app's file; none is suppressed, as on iOS for passive notifications")
    func sounds() {
        var content = Self.tea
        #expect(Self.arguments(content).hints["suppress-sound"] == .boolean(true))
        content.sound = SoundRecord(name: nil)
        #expect(Self.arguments(content).hints["sound-name"] == .string("message-new-instant"))
        content.sound = SoundRecord(name: "bell.wav")
        #expect(Self.arguments(content).hints["sound-name"] == .string("bell"))
        let mapping = NotificationMapping(app: Self.app, server: Self.server(["sound"]), allowed: Self.everything) {
            "/s/\($0)"
        }
        #expect(mapping.arguments(for: content, category: nil).hints["sound-file"] == .string("/s/bell.wav"))
        #expect(Self.arguments(content, allowed: SettingsRecord.alert).hints["suppress-sound"] == .boolean(true))
        content.interruptionLevel = 0
        #expect(Self.arguments(content).hints["suppress-sound"] == .boolean(true))
        let silent = Self.arguments(content, server: Self.server(["body"])).hints
        #expect(!silent.keys.contains { $0.contains("sound") })
    }

    @Test(
        "The level is the urgency",
        arguments: [(0, 0), (1, 1), (2, 2), (3, 1)] as [(UInt, UInt8)]
    )
    func urgency(_ level: UInt, _ urgency: UInt8) {
        var content = Self.tea
        content.interruptionLevel = level
        #expect(Self.arguments(content).hints["urgency"] == .byte(urgency))
    }

    @Test("A critical notification is urgent with its own permission")
    func critical() {
        var content = Self.tea
        content.interruptionLevel = 3
        let arguments = Self.arguments(content, allowed: Self.everything | SettingsRecord.criticalAlert)
        #expect(arguments.hints["urgency"] == .byte(2))
    }

    @Test(
        "A picture is a hint whose name depends on the version, or the icon",
        arguments: [("1.2", "image-path"), ("1.3", "image-path"), ("1.1", "image_path"), ("1.0", nil), ("", nil)]
            as [(String, String?)]
    )
    func picture(_ version: String, _ hint: String?) {
        var content = Self.tea
        content.attachments = [
            AttachmentRecord(identifier: "a", path: "/a.mp3", type: "public.mp3"),
            AttachmentRecord(identifier: "b", path: "/b c&d.png", type: "public.png"),
        ]
        let arguments = Self.arguments(content, server: Self.server(["icon-static"], specification: version))
        if let hint {
            #expect(arguments.hints[hint] == .string("file:///b%20c&d.png") && arguments.icon == "tea")
        } else {
            #expect(arguments.icon == "file:///b%20c&d.png")
        }
    }

    @Test("A server that shows no picture beside the texts gets it in the body, or not at all")
    func pictureInBody() {
        var content = Self.tea
        content.attachments = [AttachmentRecord(identifier: "b", path: "/b&c.png", type: "public.png")]
        let inside = Self.arguments(content, server: Self.server(["body", "body-markup", "body-images"]))
        let picture = "<img src=\"file:///b&amp;c.png\" alt=\"\"/>"
        #expect(inside.body == "<b>Green &amp; white</b>\n3 &gt; 2 minutes\n\(picture)")
        #expect(inside.hints["image-path"] == nil)
        let none = Self.arguments(content, server: Self.server(["body", "body-markup"]))
        #expect(none.hints["image-path"] == nil && none.icon == "tea" && !none.body.contains("img"))
        content.subtitle = ""
        content.body = ""
        #expect(Self.arguments(content, server: Self.server(["body", "body-markup", "body-images"])).body == picture)
    }

    @Test("A communication notification has the category of a message, the person's name and the group's")
    func communication() {
        var content = Self.tea
        content.sender = MessageSenderRecord(name: "Anna")
        let alone = Self.arguments(content)
        #expect(alone.summary == "Anna" && alone.body.hasPrefix("<b>Green &amp; white</b>"))
        #expect(alone.hints["category"] == .string("im.received"))
        content.sender?.group = "Tea & cake"
        #expect(Self.arguments(content).body == "<b>Tea &amp; cake</b>\n3 &gt; 2 minutes")
        #expect(Self.arguments(Self.tea).hints["category"] == nil)
    }

    @Test("The arguments have the signature of Notify")
    func signature() {
        #expect(Self.arguments(Self.tea).values.map(\.signature).joined() == "susssasa{sv}i")
        let badge = LauncherBadge.signal(3, on: "org.example.Tea")
        #expect(badge.arguments.map(\.signature).joined() == "sa{sv}")
        #expect(badge.arguments.first == .string("application://org.example.Tea.desktop"))
        #expect(badge.arguments.last == .options(["count": .int64(3), "count-visible": .boolean(true)]))
    }
}
