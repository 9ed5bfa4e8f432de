public import Foundation
import SystemPort

/// The app's interface to notifications.
///
/// One object per process, as on iOS; each call uses the device of the calling app (`CurrentPort`). Handlers run on a
/// queue of the framework, never on the main thread and never before the call returns. `@unchecked Sendable`: it has no
/// state of its own.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private static let shared: UNUserNotificationCenter = {
        #if Desktop
        DesktopProgram.prepare()
        #endif
        return UNUserNotificationCenter(inside: ())
    }()
    private static let queue = DispatchQueue(label: "UserNotifications")

    private init(inside: Void) {}

    /// Returns the centre of the app whose code is running.
    open class func current() -> UNUserNotificationCenter {
        SystemSymbol.notificationCenter.require()
        return shared
    }

    /// The delegate, held weakly. Set it before `application(_:didFinishLaunchingWithOptions:)` returns: the response
    /// that launched the app is delivered right after.
    open var delegate: (any UNUserNotificationCenterDelegate)? {
        get { DelegateSlot.current.delegate }
        set {
            let port = CurrentPort.find()
            DelegateSlot.of(port).delegate = newValue
            if let newValue { DelegateCheck.review(newValue, on: port) }
            #if Desktop
            if newValue != nil { DesktopProgram.serve(port) }
            #endif
        }
    }

    /// Whether the device shows content extensions: true for every iPhone since iOS 10.
    open var supportsContentExtensions: Bool { true }

    // MARK: Permission

    /// Asks the user the first time; later calls return the user's decision.
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping (Bool, (any Error)?) -> Void
    ) {
        ask(.requestAuthorization(options: options.rawValue)) { reply in
            completionHandler(reply == .authorization(granted: true), Self.error(in: reply))
        }
    }

    /// Asks the user for permission, the first time only, and returns the answer.
    ///
    /// - Throws: an error of ``UNError`` if the app may not ask.
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        let reply = await ask(.requestAuthorization(options: options.rawValue))
        if let error = Self.error(in: reply) { throw error }
        return reply == .authorization(granted: true)
    }

    /// Reads the settings for the app; the handler runs on any thread.
    open func getNotificationSettings(completionHandler: @escaping (UNNotificationSettings) -> Void) {
        ask(.notificationSettings) { completionHandler(Self.settings(in: $0)) }
    }

    /// Returns the settings for the app.
    open func notificationSettings() async -> UNNotificationSettings {
        Self.settings(in: await ask(.notificationSettings))
    }

    // MARK: Categories

    /// Replaces all categories.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        let texts = LocalizedTexts.current
        let records = categories.map { category in
            var record = category.record
            record.noteOrigins(texts.origin)
            return record
        }
        ask(.setCategories(records)) { _ in }
    }

    /// Reads the categories that the app has set; the handler runs on any thread.
    open func getNotificationCategories(completionHandler: @escaping (Set<UNNotificationCategory>) -> Void) {
        ask(.categories) { completionHandler(Self.categories(in: $0)) }
    }

    /// Returns the categories that the app has set.
    open func notificationCategories() async -> Set<UNNotificationCategory> {
        Self.categories(in: await ask(.categories))
    }

    // MARK: Local notifications

    /// Schedules a notification, replacing a pending one with the same identifier; without a trigger it is delivered at
    /// once.
    ///
    /// The error is a `UNError`. If there are more than 64 pending requests, some are dropped without an error. A
    /// `userInfo` with a value that cannot be encoded raises an exception.
    open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        guard let call = Self.call(toAdd: request) else { return }
        ask(call) { completionHandler?(Self.error(in: $0)) }
    }

    /// Schedules a notification, or delivers it at once without a trigger. It replaces a pending one with the same
    /// identifier.
    ///
    /// - Throws: an error of ``UNError`` with the reason of a refusal.
    open func add(_ request: UNNotificationRequest) async throws {
        guard let call = Self.call(toAdd: request) else { return }
        if let error = Self.error(in: await ask(call)) { throw error }
    }

    /// Returns the pending requests; the next to fire comes first. While the user has switched the app's notifications off, there are
    /// none, and removing has no effect; the requests are there again when they are switched on.
    open func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void) {
        ask(.pendingRequests) { completionHandler(Self.requests(in: $0)) }
    }

    /// Returns the pending requests, in the order in which they fire.
    open func pendingNotificationRequests() async -> [UNNotificationRequest] {
        Self.requests(in: await ask(.pendingRequests))
    }

    /// Removes pending requests; unknown identifiers are ignored.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        ask(.removePending(identifiers: identifiers)) { _ in }
    }

    /// Removes all pending requests of the app.
    open func removeAllPendingNotificationRequests() { ask(.removeAllPending) { _ in } }

    // MARK: Delivered notifications

    /// Returns the notifications in the notification centre, newest first.
    open func getDeliveredNotifications(completionHandler: @escaping ([UNNotification]) -> Void) {
        ask(.deliveredNotifications) { completionHandler(Self.notifications(in: $0)) }
    }

    /// Returns the app's notifications in the notification centre, newest first.
    open func deliveredNotifications() async -> [UNNotification] {
        Self.notifications(in: await ask(.deliveredNotifications))
    }

    /// Removes notifications from the notification centre; unknown identifiers are ignored.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        ask(.removeDelivered(identifiers: identifiers)) { _ in }
    }

    /// Removes all notifications of the app from the notification centre.
    open func removeAllDeliveredNotifications() { ask(.removeAllDelivered) { _ in } }

    // MARK: Badge

    /// Sets the number on the icon; 0 clears it.
    ///
    /// The error is `UNError.badgeInputInvalid` for a negative number, `UNError.notificationsNotAllowed` without
    /// permission for badges.
    open func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        guard SystemSymbol.setBadgeCount.require() else { return }
        ask(.setBadge(newBadgeCount)) { completionHandler?(Self.error(in: $0)) }
    }

    /// Sets the number on the icon; 0 removes it.
    ///
    /// - Throws: ``UNError/badgeInputInvalid`` for a negative number.
    open func setBadgeCount(_ newBadgeCount: Int) async throws {
        guard SystemSymbol.setBadgeCount.require() else { return }
        if let error = Self.error(in: await ask(.setBadge(newBadgeCount))) { throw error }
    }

    // MARK: Internals

    private func ask(_ call: SystemCall, then handler: @escaping (SystemReply) -> Void) {
        let port = CurrentPort.find()
        let handler = Handoff(handler)
        port.call(call) { reply in
            // Begun here, so that there is no moment at which it could be overlooked.
            let piece = AppWork.of(port).begin()
            Self.queue.async(group: nil) { CurrentPort.with(port, in: piece) { handler.value(reply) } }
        }
    }

    private func ask(_ call: SystemCall) async -> SystemReply {
        let port = CurrentPort.find()
        return await withCheckedContinuation { continuation in port.call(call) { continuation.resume(returning: $0) } }
    }

    private static func error(in reply: SystemReply) -> (any Error)? {
        if case .failed(let error) = reply { error.foundation } else { nil }
    }

    private static func call(toAdd request: UNNotificationRequest) -> SystemCall? {
        do {
            var record = try request.record()
            record.content.noteOrigins(LocalizedTexts.current.origin)
            return .add(record)
        } catch {
            RaisedException.raise(
                "This coder only encodes objects that adopt NSSecureCoding (object is of class '\(error.type)').",
                name: "NSInvalidArgumentException"
            )
            return nil
        }
    }

    private static func requests(in reply: SystemReply) -> [UNNotificationRequest] {
        if case .requests(let records) = reply { records.map(UNNotificationRequest.init) } else { [] }
    }

    private static func settings(in reply: SystemReply) -> UNNotificationSettings {
        if case .settings(let record) = reply {
            UNNotificationSettings(record)
        } else {
            UNNotificationSettings(.init())
        }
    }

    private static func categories(in reply: SystemReply) -> Set<UNNotificationCategory> {
        if case .categories(let records) = reply { Set(records.map(UNNotificationCategory.init)) } else { [] }
    }

    private static func notifications(in reply: SystemReply) -> [UNNotification] {
        if case .notifications(let records) = reply { records.map(UNNotification.init) } else { [] }
    }
}
