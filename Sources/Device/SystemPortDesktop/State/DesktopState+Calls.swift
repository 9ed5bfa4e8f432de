package import Foundation
package import SystemPort

// The calls of apps.

extension DesktopState {
    /// Answers a call of an app, which must be known. A request counts as added before the server has shown it, as on iOS.
    package mutating func answer(_ call: SystemCall, of bundleID: String, at date: Date) -> SystemReply {
        guard let app = apps[bundleID] else { return .terminated }
        switch call {
        case .requestAuthorization(let options): return requestAuthorization(options, bundleID)
        case .notificationSettings: return .settings(app.policy.settings(app.file.requested))
        case .setCategories(let categories):
            apps[bundleID]?.file.categories = categories
            save(bundleID)
        case .categories: return .categories(app.file.categories)
        case .deliveredNotifications: return .notifications(app.file.delivered.reversed().map(\.notification))
        case .removeDelivered(let identifiers): removeDelivered(of: bundleID) { identifiers.contains($0) }
        case .removeAllDelivered: removeDelivered(of: bundleID)
        case .add(let request): return add(request, of: bundleID, at: date)
        case .pendingRequests:
            return .requests(app.file.pending.sorted { ($0.due, $0.order) < ($1.due, $1.order) }.map(\.request))
        case .removePending(let identifiers): return removePending(of: bundleID) { identifiers.contains($0) }
        case .removeAllPending: return removePending(of: bundleID) { _ in true }
        case .setBadge(let count): return setBadge(count, by: app)
        case .removeBadge: return setBadge(0, by: app)
        case .readStorage(let key): return .value(app.file.storage[key])
        case .storageKeys(let prefix): return .storageKeys(app.file.storage.keys(after: prefix))
        case .writeStorage(let key, let value):
            apps[bundleID]?.file.storage[key] = value
            save(bundleID)
        case .warn(let text): add(.log("\(bundleID): \(text)"))
        default: return Unavailable.reply(to: call)
        }
        return .done
    }

    private mutating func requestAuthorization(_ options: UInt, _ bundleID: String) -> SystemReply {
        guard let app = apps[bundleID] else { return .terminated }
        apps[bundleID]?.file.requested = (app.file.requested ?? 0) | options
        save(bundleID)
        return .authorization(granted: app.policy.isEnabled)
    }

    private mutating func setBadge(_ count: Int, by app: App) -> SystemReply {
        guard count >= 0 else {
            return .failed(.notifications(.badgeInputInvalid, "The badge must not be negative; found \(count)"))
        }
        guard app.allowed & SettingsRecord.badge != 0 else { return .failed(.notificationsNotAllowed) }
        setBadge(count, of: app.file.bundleID)
        save(app.file.bundleID)
        return .done
    }

    private mutating func add(_ request: RequestRecord, of bundleID: String, at date: Date) -> SystemReply {
        if let problem = problem(of: request, bundleID, at: date) { return .failed(problem) }
        var replaced: [ContentRecord] = []
        if let place = apps[bundleID]?.file.pending.firstIndex(where: { $0.request.identifier == request.identifier }),
            let old = apps[bundleID]?.file.pending.remove(at: place)
        {
            replaced.append(old.request.content)
        }
        if let trigger = request.trigger, let due = TriggerDates.next(of: trigger, after: date, in: zone) {
            let pending = DesktopPending(request: request, due: due, order: nextOrder())
            apps[bundleID]?.file.pending.append(pending)
        } else {
            // Without a trigger, or with a date of the API before iOS 10 that has passed.
            show(request, of: bundleID, at: date)
        }
        discardFiles(of: replaced, bundleID)
        save(bundleID)
        plan()
        return .done
    }

    private func problem(of request: RequestRecord, _ bundleID: String, at date: Date) -> SystemError? {
        guard let app = apps[bundleID], app.allowed != 0 else { return .notificationsNotAllowed }
        if case .location = request.trigger { return Unavailable.locationTrigger }
        return request.problem(at: date, in: zone)
    }

    private mutating func removePending(of bundleID: String, where matches: (String) -> Bool) -> SystemReply {
        let gone = apps[bundleID]?.file.pending.filter { matches($0.request.identifier) } ?? []
        guard !gone.isEmpty else { return .done }
        apps[bundleID]?.file.pending.removeAll { matches($0.request.identifier) }
        discardFiles(of: gone.map(\.request.content), bundleID)
        save(bundleID)
        plan()
        return .done
    }
}

/// The answers to calls for which the desktop has nothing.
package enum Unavailable {
    /// `NSFeatureUnsupportedError` of Foundation.
    private static let unsupported = 3328

    /// The refusal of a request with a region.
    static let locationTrigger = SystemError(
        domain: "NSCocoaErrorDomain",
        code: unsupported,
        text: "The Linux desktop has no location triggers; expected a time interval, a calendar trigger or none."
    )

    /// Returns the answer to a call that is not about notifications.
    package static func reply(to call: SystemCall) -> SystemReply {
        switch call {
        case .keepRunning, .setFetchInterval, .setShortcuts: .done
        default: SystemReply(withoutDevice: call) ?? .failed(error(for: name(of: call)))
        }
    }

    private static func name(of call: SystemCall) -> String { String("\(call)".prefix { $0.isLetter }) }

    /// Returns the error for a part of iOS that the desktop does not have.
    package static func error(for part: String) -> SystemError {
        SystemError(
            domain: "NSCocoaErrorDomain",
            code: unsupported,
            text: "The Linux desktop has no counterpart for '\(part)': its port is for local notifications."
        )
    }
}
