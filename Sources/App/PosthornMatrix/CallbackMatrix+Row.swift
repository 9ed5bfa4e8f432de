extension CallbackMatrix {
    /// A call of one of the app's methods.
    public struct Call: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The method, such as `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
        public var method: String
        /// The app's state during the call: `active`, `inactive` or `background`; nil for the service extension.
        public var state: String?

        /// The method and the state in brackets.
        public var description: String { state.map { "\(method) [\($0)]" } ?? method }
    }

    /// A method that the notification calls in an app that implements all of them, and did not call in this one.
    public struct MissingCall: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The call that did not come.
        public var call: Call
        /// The reason, with what to do.
        public var reason: String

        /// The reason.
        public var description: String { reason }
    }

    /// The result of one case.
    public struct Row: Hashable, Sendable, Codable {
        /// The row of the table behind `posthorn matrix`, such as `R10-B-4`.
        public var id: String
        /// The version of iOS, such as `17.0`.
        public var system: String
        /// Where the app is when the push arrives.
        public var start: Start
        /// The keys in `aps` that decide which callbacks run.
        public var payload: Payload
        /// The user's action on the notification.
        public var act: Act
        /// The identifier of the button that was pressed; nil without one.
        public var button: String?
        /// Whether the user has allowed notifications.
        public var permission: Permission

        /// The calls of the app's methods and its service extension's, in order, with those of the life cycle.
        public var calls: [Call]
        /// The calls in an app that implements all methods, without those of the life cycle.
        public var complete: [Call]
        /// The calls of ``complete`` that this app did not get.
        public var missing: [MissingCall]
        /// The reason why no app gets a call that tells of the notification; nil if one does.
        public var silence: String?

        /// The result of the background fetch: `newData`, `noData`, `failed`, or `overran` if the completion handler was not called
        /// within 30 seconds; nil without one.
        public var fetchResult: String?
        /// Whether ``calls`` has `willPresent` and its completion handler was called within 30 seconds; nil without the call.
        public var answeredWillPresent: Bool?
        /// The ways in which the notification was presented: `banner`, `list`, `sound`, `badge` and so on. In the foreground, these are
        /// the options that `willPresent` has returned.
        public var presentation: [String]
        /// The outcome of the service extension: `ran` or `timedOut`; nil if it did not run.
        public var serviceExtension: String?
        /// The title of the banner, or its body if it has no title; nil if none was shown.
        public var banner: String?
        /// Whether the notification is in the notification centre in the end.
        public var isListed: Bool
        /// Whether the user could act: whether the notification was on the screen.
        public var couldAct: Bool

        /// Whether one of the app's methods was called that tells of the notification. The launch and the life cycle do not count.
        public var reachesApp: Bool { calls.contains { MatrixMethods.tellsOfNotification($0.method) } }

        /// The case in words, such as `iOS 17.0, background, silent`.
        public var name: String {
            var parts = ["iOS \(system)", start.rawValue, payload.rawValue]
            if act != .none { parts.append(button.map { "\(act.rawValue) '\($0)'" } ?? act.rawValue) }
            if permission == .denied { parts.append("permission denied") }
            return parts.joined(separator: ", ")
        }
    }
}
