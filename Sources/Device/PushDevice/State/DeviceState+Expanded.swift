import PushModel
import SystemPort

// The expanded view of a notification, and the content extension in it.

extension DeviceState {
    /// A notification that is pressed long.
    struct Expanded: Sendable {
        var shown: ShownNotification
        /// Of the content extension; nil without one.
        var process: Int?
        var info: ContentExtensionInfo?
        /// What the extension set in the place of the category's buttons.
        var actions: [ActionRecord]?
        var content: ContentViewRecord?
        var isPlaying = false

        var id: String { shown.id }
        /// The button is there if the extension gives it a place.
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

    /// A long press: the app's content extension shows the notification, if it has one for the category.
    mutating func expand(_ id: String, _ effects: inout Effects) -> [ActionRecord] {
        guard let shown = entries.first(where: { $0.shown.id == id })?.shown else { return [] }
        collapse(&effects)
        expanded = Expanded(shown: shown)
        let actions = buttons(of: shown)
        let category = shown.notification.content.categoryIdentifier
        if profile.hasNotificationCenter, let record = apps[shown.bundleID],
            let info = record.contentExtensions[category]
        {
            lastProcess += 1
            extensions[lastProcess] = shown.bundleID
            expanded?.process = lastProcess
            expanded?.info = info
            effects.append(.launchContent(process: lastProcess, category: category, facts(record)))
            let ratio = info.initialContentSizeRatio
            let event = SystemEvent.Kind.contentExtension(shown.notification, actions: actions, sizeRatio: ratio)
            tellExtension(event, as: .respond, &effects)
        }
        return actions
    }

    /// The expanded view closes.
    mutating func collapse(_ effects: inout Effects) {
        guard let old = expanded else { return }
        expanded = nil
        guard let process = old.process else { return }
        extensions[process] = nil
        effects.append(.kill(process: process))
    }

    /// The system's button for media: it plays what stands still, and pauses what plays.
    mutating func pressPlayPause(_ effects: inout Effects) -> Bool {
        guard let open = expanded, open.hasMediaButton else { return false }
        expanded?.isPlaying.toggle()
        tellExtension(.contentExtensionMedia(plays: !open.isPlaying), as: .lifeCycle, &effects)
        return true
    }

    /// Asks the extension what becomes of a button.
    mutating func askExtension(_ act: HeldAct, _ effects: inout Effects) {
        guard let shown = expanded?.shown else { return }
        let response = ResponseRecord(
            notification: shown.notification,
            actionIdentifier: act.action,
            userText: act.text
        )
        tellExtension(.contentExtensionResponse(response), as: .decide(act), &effects)
    }

    private mutating func tellExtension(
        _ event: SystemEvent.Kind,
        as purpose: Outstanding.Purpose,
        _ effects: inout Effects
    ) {
        guard let open = expanded, let process = open.process else { return }
        send(
            event,
            .background,
            to: open.shown.bundleID,
            process: process,
            as: purpose,
            for: open.shown.subject,
            isPartOfJourney: true,
            &effects
        )
    }

    /// What the extension asks for through its `NSExtensionContext`.
    mutating func take(_ call: ContentExtensionCall, from process: Int, _ effects: inout Effects) {
        guard let open = expanded, open.process == process else { return }
        switch call {
        case .setActions(let actions): expanded?.actions = actions
        case .media(let isPlaying): expanded?.isPlaying = isPlaying
        case .dismiss: collapse(&effects)
        case .performDefaultAction:
            collapse(&effects)
            _ = tap(open.id, &effects)
        }
    }

    /// The extension has answered a button.
    mutating func decided(_ act: HeldAct, _ option: UInt, _ effects: inout Effects) {
        guard option != 0, expanded?.id == act.id else { return }
        let button = expanded.flatMap { open in buttons(of: open.shown).first { $0.identifier == act.action } }
        collapse(&effects)
        if option == 2 {
            if let button { _ = perform(act, button, &effects) }
        } else if let shown = take(act.id, &effects) {
            tell(.acted(id: act.id, action: act.action), app: shown.bundleID, &effects)
            report(.acted(act.action), of: shown.subject, &effects)
        }
    }

    /// The buttons that the expanded view of a notification has.
    func buttons(of shown: ShownNotification) -> [ActionRecord] {
        let own = expanded?.id == shown.id ? expanded?.actions : nil
        return offered(own ?? category(of: shown)?.actions, most: profile.expandedActions)
    }

    /// The buttons where there is little room.
    func compactButtons(of shown: ShownNotification) -> [ActionRecord] {
        guard let minimal = category(of: shown)?.minimalActions else {
            return Array(buttons(of: shown).prefix(profile.compactActions))
        }
        return offered(minimal, most: profile.compactActions)
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
