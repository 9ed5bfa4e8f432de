import PushModel
import SystemPort

// The expanded view of a notification, and the content extension in it.

extension DeviceState {
    /// A notification in the expanded view.
    struct Expanded: Sendable {
        let shown: ShownNotification
        /// The content extension's process; nil without one.
        fileprivate(set) var process: Int?
        fileprivate(set) var info: ContentExtensionInfo?
        /// The extension's replacement for the category's buttons.
        fileprivate(set) var actions: [ActionRecord]?
        fileprivate(set) var content: ContentViewRecord?
        fileprivate(set) var isPlaying = false

        var id: String { shown.id }
        /// Whether there is a media button: the extension has to provide its frame.
        var hasMediaButton: Bool { content?.mediaButton != nil }
    }

    var expandedView: ExpandedView? {
        guard let expanded else { return nil }
        let own = expanded.info?.overridesDefaultTitle == true ? expanded.content?.title ?? "" : ""
        return ExpandedView(
            id: expanded.id,
            title: own.isEmpty ? expanded.shown.appName : own,
            defaultContent: expanded.info?.hidesDefaultContent == true ? nil : seen(expanded.shown),
            content: expanded.content,
            actions: buttons(of: expanded.shown),
            isPlaying: expanded.isPlaying
        )
    }

    /// Handles a long press: the app's content extension shows the notification, if it has one for the category.
    mutating func expand(_ id: String) -> [ActionRecord] {
        guard let shown = entries[id] else { return [] }
        collapse()
        expanded = Expanded(shown: shown)
        let actions = buttons(of: shown)
        let category = shown.notification.content.categoryIdentifier
        if profile.hasNotificationCenter, let record = apps[shown.bundleID],
            let info = record.contentExtensions[category]
        {
            let process = processes.next(extensionOf: shown.bundleID)
            expanded?.process = process
            expanded?.info = info
            add(.launch(.contentExtension(category: category), process: process, facts(record)))
            sendToExtension(
                .contentExtension(shown.notification, actions: actions, sizeRatio: info.initialContentSizeRatio),
                as: .respond
            )
        }
        return actions
    }

    /// Takes the view of a content extension, if its notification is the one that is expanded.
    mutating func show(_ view: ContentViewRecord, of process: Int) {
        if expanded?.process == process { expanded?.content = view }
    }

    /// Closes the expanded view.
    mutating func collapse() {
        guard let old = expanded else { return }
        expanded = nil
        guard let process = old.process else { return }
        processes.endExtension(process)
        add(.kill(process: process))
    }

    /// Handles the system's media button: toggles between play and pause.
    mutating func pressPlayPause() -> Bool {
        guard let open = expanded, open.hasMediaButton else { return false }
        expanded?.isPlaying.toggle()
        sendToExtension(.contentExtensionMedia(plays: !open.isPlaying), as: .lifeCycle)
        return true
    }

    /// Asks the extension how to handle a button.
    mutating func askExtension(_ act: HeldAct) {
        guard let shown = expanded?.shown else { return }
        let response = ResponseRecord(
            notification: shown.notification,
            actionIdentifier: act.action,
            userText: act.text
        )
        sendToExtension(.contentExtensionResponse(response), as: .decide(act))
    }

    private mutating func sendToExtension(_ event: SystemEvent.Kind, as purpose: Outstanding.Purpose) {
        guard let open = expanded, let process = open.process else { return }
        let shown = open.shown
        send(event, .background, to: shown.bundleID, process: process, as: purpose, for: shown.subject)
    }

    /// Handles the extension's calls through its `NSExtensionContext`.
    mutating func handle(_ call: ContentExtensionCall, from process: Int) {
        guard let open = expanded, open.process == process else { return }
        switch call {
        case .setActions(let actions): expanded?.actions = actions
        case .media(let isPlaying): expanded?.isPlaying = isPlaying
        case .dismiss: collapse()
        case .performDefaultAction:
            collapse()
            _ = tap(open.id)
        }
    }

    /// Handles the extension's answer about a button.
    mutating func decided(_ act: HeldAct, _ option: EventReply.ExtensionOption) {
        guard option != .doNotDismiss, expanded?.id == act.id else { return }
        let button = expanded.flatMap { open in buttons(of: open.shown).first { $0.identifier == act.action } }
        collapse()
        if option == .dismissAndForwardAction {
            if let button { _ = perform(act, button) }
        } else if let shown = remove(act.id) {
            emit(.acted(id: act.id, action: act.action), app: shown.bundleID)
            report(.acted(act.action), of: shown.subject)
        }
    }

    /// Returns the buttons in the expanded view of a notification.
    func buttons(of shown: ShownNotification) -> [ActionRecord] {
        if expanded?.id == shown.id, let own = expanded?.actions { return offered(own, most: profile.expandedActions) }
        let category = category(of: shown)
        // Buttons for the minimal context alone, as in the setup that JPush's guide showed for iOS 8.
        if let minimal = category?.minimalActions, category?.actions.isEmpty == true, !isAlert(shown) {
            return offered(minimal, most: profile.compactActions)
        }
        return offered(category?.actions, most: profile.expandedActions)
    }

    /// Returns the buttons where space is limited.
    func compactButtons(of shown: ShownNotification) -> [ActionRecord] {
        if isAlert(shown) { return buttons(of: shown) }
        guard let minimal = category(of: shown)?.minimalActions else {
            return Array(buttons(of: shown).prefix(profile.compactActions))
        }
        return offered(minimal, most: profile.compactActions)
    }

    /// Returns whether the notification is an alert in the middle of the screen: before iOS 10, for an app whose style is Alerts.
    ///
    /// Source: Apple, `UIUserNotificationActionContext`: an alert shows the default context, everything else the minimal one.
    private func isAlert(_ shown: ShownNotification) -> Bool {
        !profile.hasNotificationCenter && springboard.banner?.id == shown.id
            && apps[shown.bundleID]?.settings.hasPersistentBanners == true
    }

    private func category(of shown: ShownNotification) -> CategoryRecord? {
        apps[shown.bundleID]?.category(shown.notification.content.categoryIdentifier)
    }

    private func offered(_ actions: [ActionRecord]?, most: Int) -> [ActionRecord] {
        guard profile.hasButtons, let actions else { return [] }
        return actions.prefix(most).map { action in
            var action = action
            if !profile.hasTextInput { action.textInput = nil }
            return action
        }
    }
}
