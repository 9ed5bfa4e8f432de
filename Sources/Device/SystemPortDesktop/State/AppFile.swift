package import Foundation
package import SystemPort

/// The requests and settings that an app has left with the desktop: the contents of its file, which survives restarts.
package struct AppFile: Hashable, Sendable, Codable {
    /// The version of this format.
    package static let version = 1

    package var version = AppFile.version
    /// The app's bundle id.
    package var bundleID: String
    /// The path of the app's executable when it last ran; empty if it is not known.
    package var program: String
    /// The options that the app has asked for, as `UNAuthorizationOptions`; nil if it has not asked.
    package var requested: UInt?
    package var categories: [CategoryRecord] = []
    package var pending: [DesktopPending] = []
    /// The notifications that were shown and not removed, the oldest first.
    package var delivered: [DesktopDelivered] = []
    /// The number on the icon.
    package var badge = 0
    /// The app's small store.
    package var storage: [String: String] = [:]
    /// The unique name of the server to which the ids of ``delivered`` belong; empty if nothing was shown.
    package var server = ""

    package init(bundleID: String, program: String) {
        self.bundleID = bundleID
        self.program = program
    }
}

/// A request that waits for its date.
package struct DesktopPending: Hashable, Sendable, Codable {
    package var request: RequestRecord
    package var due: Date
    /// The number of the request, by the order in which they were added.
    package var order: Int
}

/// A notification on the desktop.
package struct DesktopDelivered: Hashable, Sendable, Codable {
    package var notification: NotificationRecord
    /// The server's id; nil before it has given one.
    package var id: UInt32?
    /// The number of the order to show it; an answer to an older order is out of date.
    package var order: Int
    /// Whether it is with the server, or waits for one.
    package var isSent = false
    /// Whether a newer version waits for the id of the one before.
    var mustRepeat = false
}
