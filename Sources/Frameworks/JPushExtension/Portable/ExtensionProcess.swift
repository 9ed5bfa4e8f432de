#if os(iOS)

import Foundation
import PosthornClient

/// The process of a service extension.
///
/// `@unchecked Sendable`: the members are read and changed under the lock only.
final class ExtensionProcess: @unchecked Sendable {
    static let current = ExtensionProcess()

    private let lock = NSLock()
    private var members = (appKey: "", isQuiet: false, hasComplained: false)

    /// The app's key.
    var appKey: String {
        get { lock.withLock { members.appKey } }
        set { lock.withLock { members.appKey = newValue } }
    }

    /// Whether only errors are logged.
    var isQuiet: Bool {
        get { lock.withLock { members.isQuiet } }
        set { lock.withLock { members.isQuiet = newValue } }
    }

    var date: Date { Date() }

    func call(_ done: MainCall) { DispatchQueue.main.async { done.body?() } }

    func log(_ text: String, isError: Bool) {
        if isError || !isQuiet { PosthornConfiguration.systemLog(text) }
    }

    /// The settings of the app's client; nil without the place that app and extension share: nobody would send what is written elsewhere.
    func configuration() throws -> PosthornConfiguration? {
        let group = PosthornConfiguration.groupKey
        guard Bundle.main.object(forInfoDictionaryKey: group) != nil else {
            let isFirst = lock.withLock {
                defer { members.hasComplained = true }
                return !members.hasComplained
            }
            let text =
                "No receipt is reported, as the extension's Info.plist has no '\(group)', the App Group that it shares with the app."
            if isFirst { log(text, isError: true) }
            return nil
        }
        return try .app(appKey: appKey)
    }
}

#endif
