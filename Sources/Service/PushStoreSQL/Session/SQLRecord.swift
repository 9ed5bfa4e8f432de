import PushModel
import PushService

/// A value that rows of a table have in columns of its own.
package protocol SQLRecord: Sendable {
    /// The columns for ``init(_:)``, in order.
    static var columns: String { get }

    /// - Throws: ``CorruptRow``.
    init(_ row: any SQLRow) throws
}
