package import Foundation
package import SystemPort

/// An effect of a change of ``DesktopState``.
package enum DesktopEffect: Hashable, Sendable {
    /// Asks the server to describe itself, and starts one if none runs.
    case findServer
    /// Calls `Notify`. The answer is passed to ``DesktopState/shown(order:id:)`` or ``DesktopState/notShown(order:reason:)``.
    case notify(NotifyArguments, order: Int)
    /// Calls `CloseNotification`.
    case close(id: UInt32)
    /// Shows a number on the icon of an app that has a desktop entry.
    case badge(Int, entry: String)
    /// Sets the alarm, nil for none; at the date, ``DesktopState/ring(at:)`` is called.
    case alarm(Date?)
    /// Writes the app's file.
    case save(AppFile)
    /// Sends an event to the app's process.
    case deliver(SystemEvent, app: String, client: String)
    /// Starts the app, which will attach; the token of the click lets it take the focus.
    case launch(AppEntry, token: String?)
    /// Deletes files of attachments.
    case discard(paths: [String])
    /// Writes a line for the person who reads the service's log.
    case log(String)
}
