import GRDB
import PushService

extension StoreError {
    /// Converts an SQLite error about the disk; nil for any other error.
    init?(ofDisk error: any Error) {
        if let error = error as? StoreError, error.retryAfter != nil {
            self = error
            return
        }
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_FULL: self = .noRoom
        case .SQLITE_READONLY: self = .readOnly
        // SQLite also reports a failure if there is no space for a file next to the database, such as its -shm.
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: self = .diskFailed(error.message ?? "\(error.extendedResultCode)")
        default: return nil
        }
    }
}
