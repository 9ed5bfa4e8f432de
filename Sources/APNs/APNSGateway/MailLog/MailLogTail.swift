import APNSTransport

/// What of a mail log is not on disk yet, as a part of the state that it speaks of.
///
/// Positions count octets from the start of the process.
struct MailLogTail: Sendable {
    /// Records that wait for the next frame.
    private(set) var bytes = WireBytes()
    /// Where the next record will end up.
    private(set) var position: Int64 = 0
    /// Somebody is writing, and will look for more before it ends.
    private(set) var isBeingWritten = false

    /// Adds a record.
    mutating func append(_ record: MailRecord) { append { record.write(to: &$0) } }

    mutating func append(_ body: (inout WireBytes) -> Void) {
        let before = bytes.count
        body(&bytes)
        position += Int64(bytes.count - before)
    }

    /// - `isBroken`: the last try to write has failed, so that there is something to write in any case.
    /// - Returns: true if the caller has to see to it that this is written.
    mutating func claim(isBroken: Bool) -> Bool {
        guard !isBeingWritten, isBroken || !bytes.isEmpty else { return false }
        isBeingWritten = true
        return true
    }

    /// Hands over what is to be written, for emptied memory. Without anything the writer is at its end.
    ///
    /// - Returns: the position up to which it reaches; nil if there is nothing.
    mutating func take(_ written: inout WireBytes) -> Int64? {
        guard !bytes.isEmpty else {
            isBeingWritten = false
            return nil
        }
        swap(&bytes, &written)
        return position
    }

    /// The writer gives up for now.
    mutating func release() { isBeingWritten = false }
}
