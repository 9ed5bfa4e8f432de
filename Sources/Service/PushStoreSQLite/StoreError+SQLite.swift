import GRDB
import PushService

extension StoreError {
    /// What a failure of SQLite says about the disk; nil if it says something else.
    init?(ofDisk error: any Error) {
        if let error = error as? StoreError, error.retryAfter != nil {
            self = error
            return
        }
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_FULL: self = .noRoom
        case .SQLITE_READONLY: self = .readOnly
        // SQLite has no room for a file beside the database, such as its -shm, and calls that a failure too.
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: self = .diskFailed(error.message ?? "\(error.extendedResultCode)")
        default: return nil
        }
    }
}
