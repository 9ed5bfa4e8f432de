public import Foundation
import SystemPort

@available(iOS 16.1, *)
extension Activity {
    /// Changes the content, in the foreground or in the background. An activity that has ended stays as it is.
    @available(iOS 16.2, *)
    public func update(_ content: ActivityContent<ContentState>) async { await send(content, alert: nil, at: nil) }

    /// Changes the content, and alerts the person.
    @available(iOS 16.2, *)
    public func update(_ content: ActivityContent<ContentState>, alertConfiguration: AlertConfiguration? = nil) async {
        await send(content, alert: alertConfiguration, at: nil)
    }

    /// Changes the content, with an alert if there is one, unless there is content of a later time than the timestamp already.
    @available(iOS 17.2, *)
    public func update(
        _ content: ActivityContent<ContentState>,
        alertConfiguration: AlertConfiguration? = nil,
        timestamp: Date
    ) async { await send(content, alert: alertConfiguration, at: timestamp) }

    /// Changes the content that changes, without a stale date.
    @available(iOS, introduced: 16.1, deprecated: 16.2, message: "Use update(_:).")
    public func update(using contentState: ContentState) async {
        await send(ActivityContent(state: contentState, staleDate: nil), alert: nil, at: nil)
    }

    /// Changes the content that changes, without a stale date, and alerts the person.
    @available(iOS, introduced: 16.1, deprecated: 16.2, message: "Use update(_:alertConfiguration:).")
    public func update(using contentState: ContentState, alertConfiguration: AlertConfiguration? = nil) async {
        await send(ActivityContent(state: contentState, staleDate: nil), alert: alertConfiguration, at: nil)
    }

    /// Ends the activity.
    ///
    /// - Parameters:
    ///   - content: the last content; nil leaves it as it is.
    ///   - dismissalPolicy: the time at which it leaves the lock screen.
    @available(iOS 16.2, *)
    public func end(
        _ content: ActivityContent<ContentState>?,
        dismissalPolicy: ActivityUIDismissalPolicy = .default
    ) async { await end(content, dismissalPolicy, at: nil) }

    /// Ends the activity, as ``end(_:dismissalPolicy:)``, unless there is content of a later time than the timestamp already.
    @available(iOS 17.2, *)
    public func end(
        _ content: ActivityContent<ContentState>?,
        dismissalPolicy: ActivityUIDismissalPolicy = .default,
        timestamp: Date
    ) async { await end(content, dismissalPolicy, at: timestamp) }

    /// Ends the activity.
    @available(iOS, introduced: 16.1, deprecated: 16.2, message: "Use end(_:dismissalPolicy:).")
    public func end(
        using contentState: ContentState? = nil,
        dismissalPolicy: ActivityUIDismissalPolicy = .default
    ) async { await end(contentState.map { ActivityContent(state: $0, staleDate: nil) }, dismissalPolicy, at: nil) }

    private func send(_ content: ActivityContent<ContentState>, alert: AlertConfiguration?, at timestamp: Date?) async {
        guard let record = encoded(content) else { return }
        await perform(.update(id: id, record, alert: alert?.record(port), timestamp: timestamp))
    }

    private func end(
        _ content: ActivityContent<ContentState>?,
        _ policy: ActivityUIDismissalPolicy,
        at timestamp: Date?
    ) async { await perform(.end(id: id, content.flatMap(encoded), policy.dismissal, timestamp: timestamp)) }

    /// Encodes content; content that its own code does not encode is reported as a warning of the app.
    private func encoded(_ content: ActivityContent<ContentState>) -> LiveActivityContent? {
        do { return try content.record } catch {
            port.call(.warn("The content of a Live Activity cannot be encoded: \(error)"))
            return nil
        }
    }

    private func perform(_ call: LiveActivityCall) async {
        let reply = await withCheckedContinuation { continuation in
            port.call(.liveActivity(call)) { continuation.resume(returning: $0) }
        }
        ActivityHub.of(port).apply(reply)
    }
}
