import Foundation
package import SystemPort

/// The mapping from a notification to the arguments of `Notify`. What the desktop has no counterpart for is left out: the guide's page
/// about the desktop has the table.
package struct NotificationMapping: Sendable {
    /// The app that shows the notification.
    package var app: AppEntry
    /// The server that shows it.
    package var server: NotificationServer
    /// The options that are on, as `UNAuthorizationOptions`.
    package var allowed: UInt
    /// Finds the file of a sound by its name, with its extension; nil if the app has none.
    var soundFile: @Sendable (String) -> String?

    package init(
        app: AppEntry,
        server: NotificationServer,
        allowed: UInt,
        soundFile: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.app = app
        self.server = server
        self.allowed = allowed
        self.soundFile = soundFile
    }

    /// Returns the arguments for a notification and its category, in place of the notification with an id; 0 for none.
    package func arguments(
        for content: ContentRecord,
        category: CategoryRecord?,
        replacing replaced: UInt32 = 0
    ) -> NotifyArguments {
        var arguments = NotifyArguments()
        arguments.appName = app.name
        arguments.replaces = replaced
        arguments.icon = app.icon
        write(content, into: &arguments)
        if server.has(.actions) { arguments.actions = actions(of: category) }
        arguments.hints = hints(of: content)
        if server.has(.inlineReply), let input = category?.replyAction?.textInput {
            arguments.hints.merge(Self.hints(of: input)) { $1 }
        }
        addPicture(of: content, to: &arguments)
        return arguments
    }

    /// Writes the texts. A notification needs a summary: without a title it is the app's name, as on iOS. The person who wrote and the
    /// name of the group take the places of title and subtitle.
    private func write(_ content: ContentRecord, into arguments: inout NotifyArguments) {
        let title = content.sender?.name ?? content.title
        arguments.summary = title.isEmpty ? app.name : title
        let body = BodyText.make(
            subtitle: content.sender?.group ?? content.subtitle,
            body: content.body,
            isMarkup: server.has(.bodyMarkup)
        )
        if server.has(.body) {
            arguments.body = body
        } else if !body.isEmpty {
            arguments.summary += ": " + body.replacing("\n", with: ", ")
        }
    }

    /// The tap comes first. A button that asks for text is left out where the server has no field for it: an empty answer would be worse
    /// than none, and a tap opens the app.
    private func actions(of category: CategoryRecord?) -> [NotifyArguments.Action] {
        var actions = [NotifyArguments.Action(key: ActionKey.tap, label: app.name)]
        let reply = category?.replyAction
        for action in category?.actions ?? [] {
            if action.textInput == nil {
                actions.append(.init(key: ActionKey.key(for: action.identifier), label: action.title))
            } else if action == reply, server.has(.inlineReply) {
                actions.append(.init(key: ActionKey.reply, label: action.title))
            }
        }
        return actions
    }

    private func hints(of content: ContentRecord) -> [String: BusValue] {
        var hints: [String: BusValue] = ["urgency": .byte(Urgency(content, allowed).rawValue)]
        if let entry = app.desktopEntry { hints["desktop-entry"] = .string(entry) }
        // Desktop Notifications Specification, "Categories".
        if content.sender != nil { hints["category"] = .string("im.received") }
        if server.has(.sound) { hints.merge(sound(of: content)) { $1 } }
        return hints
    }

    /// The hints for the sound: a passive notification makes none, as on iOS.
    private func sound(of content: ContentRecord) -> [String: BusValue] {
        guard let sound = content.sound, allowed & SettingsRecord.sound != 0, content.level != .passive
        else {
            return ["suppress-sound": .boolean(true)]
        }
        guard let name = sound.name else {
            return ["sound-name": .string(sound.isRingtone ? "phone-incoming-call" : "message-new-instant")]
        }
        if let path = soundFile(name) { return ["sound-file": .string(path)] }
        // A sound of the desktop's theme, whose names have no extension.
        return ["sound-name": .string(name.split(separator: ".").first.map(String.init) ?? name)]
    }

    private static func hints(of input: TextInputRecord) -> [String: BusValue] {
        var hints: [String: BusValue] = [:]
        if !input.placeholder.isEmpty { hints["x-kde-reply-placeholder-text"] = .string(input.placeholder) }
        if !input.buttonTitle.isEmpty { hints["x-kde-reply-submit-button-text"] = .string(input.buttonTitle) }
        return hints
    }

    /// Shows the first picture: beside the texts, or else within the body. Hints take a file as a URI; before version 1.1 of the
    /// specification there is none for it, and the picture replaces the icon.
    ///
    /// Source: Desktop Notifications Specification, "Icons and Images", "Markup".
    private func addPicture(of content: ContentRecord, to arguments: inout NotifyArguments) {
        let picture = content.attachments.first {
            AttachmentType(identifier: $0.type)?.kind == .image && !$0.hidesThumbnail
        }
        guard let path = picture?.path else { return }
        let file = URL(fileURLWithPath: path).absoluteString
        guard server.showsPictures else {
            guard server.has(.body), server.has(.bodyMarkup), server.has(.bodyImages) else { return }
            let lines = arguments.body.isEmpty ? [] : [arguments.body]
            arguments.body = (lines + ["<img src=\"\(BodyText.escape(file))\" alt=\"\"/>"]).joined(separator: "\n")
            return
        }
        if server.isAtLeast(1, 2) {
            arguments.hints["image-path"] = .string(file)
        } else if server.isAtLeast(1, 1) {
            arguments.hints["image_path"] = .string(file)
        } else {
            arguments.icon = file
        }
    }
}

/// The urgency of a notification. Source: Desktop Notifications Specification, "Urgency levels".
enum Urgency: UInt8 {
    case low = 0
    case normal = 1
    /// Shown also while the user does not want to be disturbed, and until the user closes it.
    case critical = 2

    /// Creates the urgency of a notification's interruption level. A critical one needs an allowed option of its own.
    init(_ content: ContentRecord, _ allowed: UInt) {
        switch content.level {
        case .passive: self = .low
        case .active: self = .normal
        case .timeSensitive: self = .critical
        case .critical: self = allowed & SettingsRecord.criticalAlert != 0 ? .critical : .normal
        }
    }
}

/// The text below the title. A notification of the desktop has no subtitle: it becomes the first line.
enum BodyText {
    /// Returns the text of a subtitle and a body, either of which may be empty; as markup if the server reads it so.
    static func make(subtitle: String, body: String, isMarkup: Bool) -> String {
        let lines = [subtitle, body].map { isMarkup ? escape($0) : $0 }
        guard !lines[0].isEmpty else { return lines[1] }
        let first = isMarkup ? "<b>\(lines[0])</b>" : lines[0]
        return lines[1].isEmpty ? first : "\(first)\n\(lines[1])"
    }

    /// Returns a text for a server that reads markup, which shows it as it is.
    ///
    /// Source: Desktop Notifications Specification, "Markup": a subset of XML.
    static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
