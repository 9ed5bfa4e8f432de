import Foundation
import PushModel
import SystemPort
import UserNotifications

/// One event on its way into an app's delegate. Names are those of `callback-matrix.csv`.
@MainActor
struct DelegateCall {
    static let fetchName = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"

    let delegate: any UIApplicationDelegate
    let port: any SystemPort
    let reply: @Sendable (EventReply) -> Void

    private var application: UIApplication { .shared }

    /// - Parameters:
    ///   - payload: of the push that is the reason.
    ///   - isForLocation: a region's border or a place is the reason.
    ///   - url: which is the reason.
    ///   - hasSceneAhead: the launch brings the app to the front: one that declares scenes hears the reason there.
    /// - Returns: whether the app is to be asked to open the URL: neither method returned false.
    func launch(_ payload: JSONObject?, isForLocation: Bool, url: OpenedURL?, hasSceneAhead: Bool) -> Bool {
        let isForScene = hasSceneAhead && SceneManifest.isDeclared(on: port)
        var options: [UIApplication.LaunchOptionsKey: Any]?
        if let payload, !isForScene { options = [.remoteNotification: payload.foundation] }
        if isForLocation { options = [.location: NSNumber(value: true)] }
        if let url, !isForScene { options = launchOptions(for: url) }
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

    /// A URL for an app without scenes.
    func open(_ url: OpenedURL) {
        guard let opened = URL(string: url.url) else { return }
        var options: [UIApplication.OpenURLOptionsKey: Any] = [.openInPlace: false]
        if let source = url.sourceApplication { options[.sourceApplication] = source }
        call("application(_:open:options:)") {
            _ = delegate.application(application, open: opened, options: options)
        }
    }

    func lifeCycle(_ name: String, _ method: (any UIApplicationDelegate, UIApplication) -> Void) {
        call("application\(name)(_:)") { method(delegate, application) }
        post(name)
    }

    /// Tells who listens to `NotificationCenter.default`.
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

    /// A push with `content-available`.
    func fetch(_ payload: JSONObject) {
        if !fetchIfImplemented(payload) { reply(.notImplemented) }
    }

    /// Without a delegate of the centre the app hears as before iOS 10, and nothing is shown.
    func willPresent(_ record: NotificationRecord, alsoFetched: Bool) {
        if DelegateCalls.willPresent(record, on: port, reply: reply) { return }
        if !alsoFetched, record.trigger == .push { fetchOrLegacy(record.content.userInfo) }
        reply(.notImplemented)
    }

    /// - Parameters:
    ///   - record: what the person did.
    ///   - isKnown: the app's scene was connected for it: without a delegate of the centre nothing more is to be told.
    func didReceive(_ record: ResponseRecord, isKnown: Bool) {
        if DelegateCalls.didReceive(record, on: port, reply: reply) { return }
        guard !isKnown, record.actionIdentifier == ResponseRecord.defaultAction, record.notification.trigger == .push
        else {
            return reply(.notImplemented)
        }
        if !fetchOrLegacy(record.notification.content.userInfo) { reply(.notImplemented) }
    }

    func openSettings(_ record: NotificationRecord?) {
        if DelegateCalls.openSettings(record, on: port, reply: reply) { return }
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
        let gate = AnswerGate<FetchOutcome> { [reply] in reply(.fetched($0)) }
        let isImplemented = call(Self.fetchName) {
            delegate.application(application, didReceiveRemoteNotification: payload.foundation) { result in
                switch result {
                case .newData: gate.answer(.newData)
                case .noData: gate.answer(.noData)
                case .failed: gate.answer(.failed)
                }
            }
        }
        gate.decide(open: isImplemented)
        return isImplemented
    }

    @discardableResult
    func call(_ name: String, _ method: () -> Void) -> Bool {
        let isImplemented = MethodProbe.reaches(method)
        if isImplemented { reply(.ran(name)) }
        return isImplemented
    }
}
