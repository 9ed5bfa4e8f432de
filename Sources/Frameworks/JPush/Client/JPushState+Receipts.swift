import DeviceLink

// Receipts of pushes, kept until the service has answered.

extension JPushState {
    /// Reports a receipt. Each message and event counts once, however many callbacks carry it.
    mutating func report(_ receipt: SDKReceipt) {
        guard receipts.add(receipt) else { return }
        saveReceipts()
        sendReceipts()
        adjustLink()
    }

    /// Reports as ``report(_:)`` does, for a process with no other purpose: `done` is called when the service has
    /// answered, or cannot be reached.
    mutating func report(_ receipt: SDKReceipt, done: @escaping @Sendable (SDKReply) -> Void) {
        report(receipt)
        guard refusal == nil, receipts.waiting.contains(receipt) else {
            return add(.answer(done, SDKReply(code: refusal ?? 0)))
        }
        reporters.append(done)
    }

    /// Releases the waiting extension.
    mutating func release(_ code: Int) {
        for reporter in reporters { add(.answer(reporter, SDKReply(code: code))) }
        reporters = []
    }

    private mutating func saveReceipts() { add(.save(isExtension ? .extensionReceipts : .receipts, receipts.text)) }

    /// Sends the receipts: one request at a time; new ones go with the next.
    mutating func sendReceipts() {
        guard link != nil, refusal == nil, receiptsUnderWay == nil, !receipts.waiting.isEmpty else { return }
        let batch = Array(receipts.waiting.prefix(PendingReceipts.batch))
        receiptsUnderWay = batch
        send(Operation(request: .receipts(batch), deadline: .never))
    }

    mutating func settledReceipts() {
        guard let batch = receiptsUnderWay else { return }
        receiptsUnderWay = nil
        // A refused app keeps them for a build that is accepted.
        guard refusal == nil else { return }
        receipts.settle(batch)
        saveReceipts()
        sendReceipts()
        if receipts.waiting.isEmpty { release(0) }
    }
}
