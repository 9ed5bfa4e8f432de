import Foundation

/// Reports receipts from a service extension, which has little time and may be killed at any moment.
///
/// The receipt is stored first, in the store that extension and app share. If it cannot be sent from here, the app sends it. In a store
/// without the app's state nothing is written: nobody would send it.
public struct ReceiptReporter: Sendable {
    private let configuration: PosthornConfiguration

    /// Creates a reporter with the settings of the app: the same service, app key, bundle id and store.
    public init(_ configuration: PosthornConfiguration) { self.configuration = configuration }

    /// Reports a receipt, and calls `completion` once: with true when the service has it, with false when it is left to the app.
    ///
    /// - Parameters:
    ///   - event: the event; a service extension reports ``Receipt/Event/received``.
    ///   - messageID: the push's `_j_msgid`.
    ///   - date: the time of the event.
    ///   - limit: the longest wait in seconds; the system gives an extension about 30.
    ///   - completion: called on any thread.
    public func report(
        _ event: Receipt.Event,
        of messageID: Int64,
        at date: Date = Date(),
        within limit: TimeInterval = 5,
        completion: @escaping @Sendable (Bool) -> Void
    ) {
        let gate = Guarded<(@Sendable (Bool) -> Void)?>(completion)
        let answer: @Sendable (Bool) -> Void = { isSent in
            gate.with { completion in
                defer { completion = nil }
                return completion
            }?(isSent)
        }
        let receipt = Receipt(messageID: messageID, event: event, time: Int64(date.timeIntervalSince1970))
        let configuration = configuration
        let cancel = configuration.clock.timer(after: limit.milliseconds) { answer(false) }
        configuration.executor.run {
            Self.send(receipt, with: configuration, within: limit) { isSent in
                cancel()
                answer(isSent)
            }
        }
    }

    /// Reports a receipt, and returns whether the service has it.
    @discardableResult
    public func report(
        _ event: Receipt.Event,
        of messageID: Int64,
        at date: Date = Date(),
        within limit: TimeInterval = 5
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            report(event, of: messageID, at: date, within: limit) { continuation.resume(returning: $0) }
        }
    }

    /// The number of receipts that wait for the app; later ones are sent from here or lost.
    private static let most = 200

    /// Said once in a process.
    private static let complaint = Guarded(false)

    private static func send(
        _ receipt: Receipt,
        with configuration: PosthornConfiguration,
        within limit: TimeInterval,
        answer: @escaping @Sendable (Bool) -> Void
    ) {
        let store = configuration.store
        let key = "\(ClientEngine.receiptKey)\(receipt.messageID)-\(receipt.event.rawValue)"
        do {
            guard try store.data(for: StoredPart.Key.state.rawValue) != nil else {
                if complaint.isFirst() {
                    configuration.log(
                        "No receipt is reported, as the app has no state here. App and extension have to share a store, by an App Group."
                    )
                }
                return answer(false)
            }
            let send: @Sendable () -> Void = {
                store.set(Data("\(receipt.time)".utf8), for: ClientEngine.extensionKey) { _ in }
                let engine = ClientEngine(configuration, isReporter: true)
                engine.update { state in
                    state.startReporting(appKey: configuration.appKey)
                    state.report([receipt])
                }
                engine.whenSettled(within: limit) { [engine] isSent in
                    withExtendedLifetime(engine) {}
                    guard isSent else { return answer(false) }
                    store.set(nil, for: key) { _ in answer(true) }
                }
            }
            let waiting = try store.keys().filter { $0.hasPrefix(ClientEngine.receiptKey) }.count
            guard waiting < most else { return send() }
            store.set(try JSONEncoder().encode(receipt), for: key) { stored in
                if case .failure(let error) = stored { configuration.log("The receipt cannot be stored: \(error)") }
                send()
            }
        } catch {
            configuration.log("The receipt is not reported: \(error)")
            answer(false)
        }
    }
}
