import Foundation
import PushModel
import SystemPort
import UserNotifications

/// The delivery of one event to an app's delegate. Names are those of `Sources/App/CMatrix/callbacks.csv`.
@MainActor
struct AppDelegateCall {
    static let fetchName = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"

    let delegate: any UIApplicationDelegate
    let port: any SystemPort
    let reply: EventReplyHandler

    var application: UIApplication { .shared }

    /// Whether there is a notification centre that can have a delegate, as since iOS 10.
    private var hasCentre: Bool { port.facts.systemMajor >= 10 }

    /// - Parameters:
    ///   - payload: the payload of the push that caused the launch.
    ///   - local: the local notification that caused the launch.
    ///   - isForLocation: whether a region crossing or a location caused the launch.
    ///   - item: the URL, activity or quick action that caused the launch.
    ///   - hasSceneAhead: whether the launch brings the app to the foreground: an app that declares scenes receives the
    ///     cause there.
    /// - Returns: nil without a cause.
    func launchOptions(
        payload: JSONObject?,
        local: NotificationRecord?,
        isForLocation: Bool,
        item: OpenedItem?,
        hasSceneAhead: Bool
    ) -> [UIApplication.LaunchOptionsKey: Any]? {
        if isForLocation { return [.location: NSNumber(value: true)] }
        if hasSceneAhead, SceneManifest.isDeclared(on: port) { return nil }
        switch item {
        case .url(let url): return launchOptions(for: url)
        case .activity(let activity): return launchOptions(for: activity)
        case .shortcut(let shortcut): return [.shortcutItem: UIApplicationShortcutItem(shortcut)]
        case nil: break
        }
        if let local { return [.localNotification: UILocalNotification(local)] }
        return payload.map { [.remoteNotification: $0.foundation] }
    }

    /// - Returns: whether the app is to be given the item that caused the launch: neither method returned false.
    func launch(_ options: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        var agrees = true
        call("application(_:willFinishLaunchingWithOptions:)") {
            if !delegate.application(application, willFinishLaunchingWithOptions: options) { agrees = false }
        }
        call("application(_:didFinishLaunchingWithOptions:)") {
            if !delegate.application(application, didFinishLaunchingWithOptions: options) { agrees = false }
        }
        NotificationCenter.default.post(name: UIApplication.didFinishLaunchingNotification, object: application)
        return agrees
    }

    private func launchOptions(for url: OpenedURL) -> [UIApplication.LaunchOptionsKey: Any]? {
        guard let opened = URL(string: url.url) else { return nil }
        var options: [UIApplication.LaunchOptionsKey: Any] = [.url: opened]
        if let source = url.sourceApplication { options[.sourceApplication] = source }
        return options
    }

    /// Delivers a URL, an activity or a quick action to an app without scenes.
    func open(_ item: OpenedItem) {
        switch item {
        case .url(let url): open(url)
        case .activity(let activity): continueActivity(activity)
        case .shortcut(let shortcut): perform(shortcut)
        }
    }

    private func open(_ url: OpenedURL) {
        guard let opened = URL(string: url.url) else { return }
        var options: [UIApplication.OpenURLOptionsKey: Any] = [.openInPlace: false]
        if let source = url.sourceApplication { options[.sourceApplication] = source }
        // The newest method that the system knows and the app has. Source: Apple, `UIApplicationDelegate`, of each of the three.
        let isOpened =
            port.facts.systemMajor >= 9
            && call("application(_:open:options:)") {
                _ = delegate.application(application, open: opened, options: options)
            }
            || call("application(_:open:sourceApplication:annotation:)") {
                let source = url.sourceApplication
                _ = delegate.application(application, open: opened, sourceApplication: source, annotation: NSNull())
            }
        if !isOpened {
            call("application(_:handleOpen:)") { _ = delegate.application(application, handleOpen: opened) }
        }
    }

    func lifeCycle(_ name: String, _ method: (any UIApplicationDelegate, UIApplication) -> Void) {
        call("application\(name)(_:)") { method(delegate, application) }
        post(name)
    }

    /// Posts to `NotificationCenter.default`.
    func post(_ name: String) {
        let posted = NSNotification.Name("UIApplication\(name)Notification")
        NotificationCenter.default.post(name: posted, object: application)
    }

    func registered(_ token: DeviceToken) {
        call("application(_:didRegisterForRemoteNotificationsWithDeviceToken:)") {
            delegate.application(application, didRegisterForRemoteNotificationsWithDeviceToken: Data(token.bytes))
        }
    }

    func failed(_ error: SystemError) {
        call("application(_:didFailToRegisterForRemoteNotificationsWithError:)") {
            delegate.application(application, didFailToRegisterForRemoteNotificationsWithError: error.foundation)
        }
    }

    /// Delivers the types that the user granted an app of iOS 8 and 9.
    func registered(types: UInt) {
        call("application(_:didRegister:)") {
            delegate.application(application, didRegister: UIUserNotificationSettings(granted: types))
        }
    }

    /// Delivers a push with `content-available`.
    func fetch(_ payload: JSONObject) {
        if !fetchIfImplemented(payload) { reply(.notImplemented) }
    }

    /// Without a delegate of the centre the app is notified as before iOS 10, and nothing is shown.
    func willPresent(_ record: NotificationRecord, alsoFetched: Bool) {
        if hasCentre, NotificationCenterCalls.willPresent(record, on: port, reply: reply) { return }
        if record.isLocal {
            deliver(local: record)
        } else if !alsoFetched {
            fetchOrLegacy(record.content.userInfo)
        }
        reply(.notImplemented)
    }

    /// - Parameters:
    ///   - record: the user's response.
    ///   - isKnown: whether the app's scene was connected for it: without a delegate of the centre nothing more is
    ///     delivered.
    ///   - isLaunchedFor: whether it is a local notification that was in the app's launch options.
    func didReceive(_ record: ResponseRecord, isKnown: Bool, isLaunchedFor: Bool) {
        if hasCentre, NotificationCenterCalls.didReceive(record, on: port, reply: reply) { return }
        if isKnown { return reply(.notImplemented) }
        switch record.actionIdentifier {
        case ResponseRecord.dismissAction: break
        case ResponseRecord.defaultAction where record.notification.isLocal:
            if !isLaunchedFor { deliver(local: record.notification) }
        case ResponseRecord.defaultAction:
            if fetchOrLegacy(record.notification.content.userInfo) { return }
        default:
            if handleAction(record) { return }
        }
        reply(.notImplemented)
    }

    func openSettings(_ record: NotificationRecord?) {
        if hasCentre, NotificationCenterCalls.openSettings(record, on: port, reply: reply) { return }
        reply(.notImplemented)
    }

    /// - Returns: whether the fetch method will answer.
    @discardableResult
    private func fetchOrLegacy(_ payload: JSONObject) -> Bool {
        if fetchIfImplemented(payload) { return true }
        call("application(_:didReceiveRemoteNotification:)") {
            delegate.application(application, didReceiveRemoteNotification: payload.foundation)
        }
        return false
    }

    private func fetchIfImplemented(_ payload: JSONObject) -> Bool {
        call(Self.fetchName, answering: { .fetched($0) }) { answer in
            delegate.application(application, didReceiveRemoteNotification: payload.foundation) { answer($0.outcome) }
        }
    }

    @discardableResult
    func call(_ name: String, _ method: () -> Void) -> Bool {
        let isImplemented = MethodProbe.reaches(method)
        if isImplemented { reply(.ran(name)) }
        return isImplemented
    }

    /// Calls a method that answers by a handler.
    ///
    /// - Parameters:
    ///   - name: the method.
    ///   - makeReply: makes the reply to the system from an answer.
    ///   - method: calls the method with the handler.
    /// - Returns: whether the app implements the method; only then do answers count.
    func call<Answer: Sendable>(
        _ name: String,
        answering makeReply: @escaping @Sendable (Answer) -> EventReply,
        _ method: (@escaping @Sendable (Answer) -> Void) -> Void
    ) -> Bool {
        let gate = AnswerGate<Answer> { [reply] in reply(makeReply($0)) }
        let isImplemented = call(name) { method { gate.answer($0) } }
        gate.decide(open: isImplemented)
        return isImplemented
    }
}
