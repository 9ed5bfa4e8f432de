import APNSTransport

/// The part of a mail log that is not on disk yet; a part of the state that it describes.
///
/// Positions count octets from the start of the process.
struct MailLogTail: Sendable {
    /// Records that wait for the next frame.
    private(set) var bytes = WireBytes()
    /// The position where the next record will end.
    private(set) var position: Int64 = 0
    /// Whether a writer is active; it looks for more records before it ends.
    private(set) var isBeingWritten = false

    /// Adds a record.
    mutating func append(_ record: MailRecord) { append { record.write(to: &$0) } }

    mutating func append(_ body: (inout WireBytes) -> Void) {
        let before = bytes.count
        body(&bytes)
        position += Int64(bytes.count - before)
    }

    /// `isBroken` is the last attempt to write failed, so there is something to write in any case.
    /// - Returns: true if the caller has to ensure that the log is written.
    mutating func claim(isBroken: Bool) -> Bool {
        guard !isBeingWritten, isBroken || !bytes.isEmpty else { return false }
        isBeingWritten = true
        return true
    }

    /// Exchanges the waiting records for an empty buffer. If there are none, the writer is finished.
    ///
    /// - Returns: the position where the records end; nil if there are none.
    mutating func take(_ written: inout WireBytes) -> Int64? {
        guard !bytes.isEmpty else {
            isBeingWritten = false
            return nil
        }
        swap(&bytes, &written)
        return position
    }

    /// Marks the writer as stopped.
    mutating func release() { isBeingWritten = false }
}
