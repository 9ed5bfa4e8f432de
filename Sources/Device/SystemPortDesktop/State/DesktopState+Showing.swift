import Foundation
import PushModel
import SystemPort

// The notifications with the server: shown, replaced, removed, and what the user did. Source: Desktop Notifications Specification 1.2.

extension DesktopState {
    /// The number of notifications of an app that are remembered: the server does not say when it forgets one.
    static let remembered = 200

    /// A server has described itself, or another one has taken its place.
    package mutating func serverAppeared(_ server: NotificationServer) {
        self.server = server
        for bundleID in bundleIDs { settle(with: server, bundleID) }
    }

    /// No server runs. What is due waits for the next one.
    package mutating func serverVanished() {
        server = nil
        tokens = [:]
        unanswered = [:]
    }

    /// Forgets what another server has shown, and shows what waited for one.
    mutating func settle(with server: NotificationServer, _ bundleID: String) {
        guard let app = apps[bundleID] else { return }
        if app.file.server != server.owner {
            apps[bundleID]?.file.delivered.removeAll(where: \.isSent)
            apps[bundleID]?.file.server = server.owner
            discardFiles(of: app.file.delivered.filter(\.isSent).map(\.notification.content), bundleID)
            save(bundleID)
        }
        for entry in apps[bundleID]?.file.delivered ?? [] where !entry.isSent { send(entry.order, of: bundleID) }
    }

    /// Shows a request that was due at a date, if the user's settings allow it.
    mutating func show(_ request: RequestRecord, of bundleID: String, at date: Date) {
        guard let app = apps[bundleID] else { return }
        guard app.allowed & (SettingsRecord.alert | SettingsRecord.sound | SettingsRecord.badge) != 0 else {
            return add(.log("\(bundleID): '\(request.identifier)' is not shown: the desktop's settings forbid it."))
        }
        if let badge = request.content.badge, app.allowed & SettingsRecord.badge != 0 {
            setBadge(max(0, badge), of: bundleID)
        }
        guard app.allowed & SettingsRecord.alert != 0, request.content.isShown else { return }
        var content = request.content
        content.localize(in: [:])
        let record = NotificationRecord(
            identifier: request.identifier,
            date: date,
            content: content,
            trigger: request.trigger
        )
        let order = nextOrder()
        place(DesktopDelivered(notification: record, order: order), of: bundleID)
        if server == nil { add(.findServer) } else { send(order, of: bundleID) }
    }

    /// Puts a notification at the end, in place of the one with its identifier, whose id it takes over.
    private mutating func place(_ new: DesktopDelivered, of bundleID: String) {
        var new = new
        var gone: [ContentRecord] = []
        if let index = index(of: new.notification.identifier, bundleID),
            let old = apps[bundleID]?.file.delivered.remove(at: index)
        {
            new.id = old.id
            // Its id is under way: the newer version goes out when it has arrived.
            new.mustRepeat = old.isSent && old.id == nil
            if new.mustRepeat { new.order = old.order }
            new.isSent = new.mustRepeat
            gone.append(old.notification.content)
        }
        apps[bundleID]?.file.delivered.append(new)
        while let count = apps[bundleID]?.file.delivered.count, count > Self.remembered {
            if let old = apps[bundleID]?.file.delivered.removeFirst() { gone.append(old.notification.content) }
        }
        discardFiles(of: gone, bundleID)
    }

    private mutating func send(_ order: Int, of bundleID: String) {
        guard let server, let app = apps[bundleID],
            let place = app.file.delivered.firstIndex(where: { $0.order == order }), !app.file.delivered[place].isSent
        else { return }
        let entry = app.file.delivered[place]
        let content = entry.notification.content
        let file = app.file
        let soundFile = self.soundFile
        let mapping = NotificationMapping(app: app.entry, server: server, allowed: app.allowed) { soundFile(file, $0) }
        let category = app.file.categories.first { $0.identifier == content.categoryIdentifier }
        apps[bundleID]?.file.delivered[place].isSent = true
        apps[bundleID]?.file.server = server.owner
        unanswered[order] = 0
        add(.notify(mapping.arguments(for: content, category: category, replacing: entry.id ?? 0), order: order))
    }

    // MARK: Answers of the server

    /// Notes that the server has shown a notification: the number of the order to show it, and the server's id.
    package mutating func shown(order: Int, id: UInt32) {
        unanswered[order] = nil
        guard let (bundleID, place) = find({ $0.order == order }) else {
            // It was removed before the server had answered, unless a newer version has its id.
            return find({ $0.id == id }) == nil ? add(.close(id: id)) : ()
        }
        apps[bundleID]?.file.delivered[place].id = id
        if apps[bundleID]?.file.delivered[place].mustRepeat == true {
            let next = nextOrder()
            apps[bundleID]?.file.delivered[place].mustRepeat = false
            apps[bundleID]?.file.delivered[place].isSent = false
            apps[bundleID]?.file.delivered[place].order = next
            send(next, of: bundleID)
        }
        save(bundleID)
    }

    /// The server has not shown a notification. It stays and waits for the next server if there is none; otherwise it is dropped.
    package mutating func notShown(order: Int, reason: BusProblem) {
        let closing = unanswered.removeValue(forKey: order) ?? 0
        guard let (bundleID, place) = find({ $0.order == order }) else {
            // It was removed in the meantime; the one that it should replace still stands.
            return closing == 0 ? () : add(.close(id: closing))
        }
        if reason.isReceiverMissing || reason.name.isEmpty {
            apps[bundleID]?.file.delivered[place].isSent = false
        } else if let old = apps[bundleID]?.file.delivered.remove(at: place) {
            add(.log("\(bundleID): '\(old.notification.identifier)' was refused by the notification server: \(reason)"))
            discardFiles(of: [old.notification.content], bundleID)
        }
        save(bundleID)
    }

    // MARK: The user

    /// The user has clicked: the token belongs to the action that follows.
    package mutating func activationToken(_ token: String, of id: UInt32) {
        if find({ $0.id == id }) != nil { tokens[id] = token }
    }

    /// Responds to an action that the user has chosen by its key, or to a text that the user has written.
    package mutating func acted(_ key: String, on id: UInt32, text: String? = nil) {
        let token = tokens.removeValue(forKey: id)
        guard let (bundleID, place) = find({ $0.id == id }), let entry = apps[bundleID]?.file.delivered[place] else {
            return
        }
        let category = category(of: entry, bundleID)
        guard let action = ActionKey.identifier(for: key, in: category) else { return }
        remove(at: place, of: bundleID)
        // A server that keeps a notification after an action would show one that the app has been told about.
        add(.close(id: id))
        respond(to: entry, of: bundleID, with: action, text: text, token: token)
    }

    /// Notes that a notification was closed: 1 expired, 2 dismissed by the user, 3 closed by a call, 4 undefined.
    package mutating func closed(_ id: UInt32, reason: UInt32) {
        guard let (bundleID, place) = find({ $0.id == id }), let entry = apps[bundleID]?.file.delivered[place] else {
            return
        }
        // An expired one is still in the server's history, from which the user may take it.
        if reason == 1 { return }
        tokens[id] = nil
        remove(at: place, of: bundleID)
        let category = category(of: entry, bundleID)
        guard reason == 2, let category, category.options & CategoryRecord.customDismissAction != 0 else { return }
        respond(to: entry, of: bundleID, with: ResponseRecord.dismissAction)
    }

    private mutating func respond(
        to entry: DesktopDelivered,
        of bundleID: String,
        with action: String,
        text: String? = nil,
        token: String? = nil
    ) {
        let chosen = category(of: entry, bundleID)?.actions.first { $0.identifier == action }
        let isForeground =
            action == ResponseRecord.defaultAction || (chosen?.options ?? 0) & ActionRecord.foreground != 0
        let response = ResponseRecord(
            notification: entry.notification,
            actionIdentifier: action,
            userText: chosen?.textInput == nil ? nil : text ?? ""
        )
        let event = SystemEvent(.didReceive(response), state: isForeground ? .active : .background)
        deliver(event, to: bundleID, token: token)
    }

    // MARK: Removing

    mutating func removeDelivered(of bundleID: String, where matches: (String) -> Bool = { _ in true }) {
        let places = apps[bundleID]?.file.delivered.indices ?? 0..<0
        for place in places.reversed() {
            guard let entry = apps[bundleID]?.file.delivered[place], matches(entry.notification.identifier) else {
                continue
            }
            // One that the server has not answered yet is closed with the id of its answer.
            if let id = entry.id {
                if unanswered[entry.order] == nil { add(.close(id: id)) } else { unanswered[entry.order] = id }
            }
            remove(at: place, of: bundleID)
        }
    }

    private mutating func remove(at place: Int, of bundleID: String) {
        guard let old = apps[bundleID]?.file.delivered.remove(at: place) else { return }
        discardFiles(of: [old.notification.content], bundleID)
        save(bundleID)
    }

    /// Deletes the files of removed content, unless another request or notification uses them.
    mutating func discardFiles(of contents: [ContentRecord], _ bundleID: String) {
        let paths = contents.flatMap(\.attachments).map(\.path)
        guard !paths.isEmpty, let file = apps[bundleID]?.file else { return }
        let pending = file.pending.flatMap(\.request.content.attachments)
        let kept = Set((pending + file.delivered.flatMap(\.notification.content.attachments)).map(\.path))
        let gone = paths.filter { !kept.contains($0) }
        if !gone.isEmpty { add(.discard(paths: gone)) }
    }

    // MARK: Finding

    private func category(of entry: DesktopDelivered, _ bundleID: String) -> CategoryRecord? {
        let identifier = entry.notification.content.categoryIdentifier
        return apps[bundleID]?.file.categories.first { $0.identifier == identifier }
    }

    private func index(of identifier: String, _ bundleID: String) -> Int? {
        apps[bundleID]?.file.delivered.firstIndex { $0.notification.identifier == identifier }
    }

    private func find(_ matches: (DesktopDelivered) -> Bool) -> (bundleID: String, place: Int)? {
        for bundleID in bundleIDs {
            if let place = apps[bundleID]?.file.delivered.firstIndex(where: matches) { return (bundleID, place) }
        }
        return nil
    }
}

extension ContentRecord {
    /// Whether there is something to show or to play.
    fileprivate var isShown: Bool { hasText || sound != nil || !attachments.isEmpty }
}
