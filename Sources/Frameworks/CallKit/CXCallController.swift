public import Dispatch
public import Foundation
import SystemPort

/// Requests actions on calls for the user of the app's own screens. The app's provider performs them.
open class CXCallController: NSObject {
    private let port = CurrentPort.find()
    private let queue: DelegateQueue
    /// Observes the calls on the device.
    open private(set) var callObserver = CXCallObserver()

    /// Creates a controller whose completion handlers run on the main queue.
    public convenience override init() { self.init(queue: .main) }

    /// Creates a controller whose completion handlers run on a queue.
    public init(queue: DispatchQueue) {
        SystemSymbol.callController.require()
        self.queue = DelegateQueue(queue)
        super.init()
    }

    /// Requests a transaction.
    ///
    /// - Parameters:
    ///   - transaction: the actions.
    ///   - completion: called with a ``CXErrorCodeRequestTransactionError`` if the system does not perform them. The actions
    ///     themselves may fail later.
    @preconcurrency
    open func request(_ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void) {
        let context = CurrentPort.Context()
        port.call(.request(transaction.record, manager: nil)) { [queue] reply in
            queue.complete(in: context) { completion(CallKitFailure.error(in: reply)) }
        }
    }

    /// Asks the system to carry out a transaction, and returns when it has accepted it.
    ///
    /// - Throws: ``CXErrorCodeRequestTransactionError`` with the reason why it was refused.
    nonisolated(nonsending) open func request(_ transaction: CXTransaction) async throws {
        try await CallKitFailure.perform(.callKit(.request(transaction.record, manager: nil)), on: port)
    }

    /// Asks the system to carry out several actions as one transaction. `completion` gets nil, or the reason of a
    /// refusal.
    @available(iOS 11.0, *)
    @preconcurrency
    open func requestTransaction(with actions: [CXAction], completion: @escaping @Sendable ((any Error)?) -> Void) {
        request(CXTransaction(actions: actions), completion: completion)
    }

    /// Asks the system to carry out several actions as one transaction.
    ///
    /// - Throws: ``CXErrorCodeRequestTransactionError`` with the reason why it was refused.
    @available(iOS 11.0, *)
    nonisolated(nonsending) open func requestTransaction(with actions: [CXAction]) async throws {
        try await request(CXTransaction(actions: actions))
    }

    /// Asks the system to carry out an action. `completion` gets nil, or the reason of a refusal.
    @available(iOS 11.0, *)
    @preconcurrency
    open func requestTransaction(with action: CXAction, completion: @escaping @Sendable ((any Error)?) -> Void) {
        request(CXTransaction(action: action), completion: completion)
    }

    /// Asks the system to carry out an action.
    ///
    /// - Throws: ``CXErrorCodeRequestTransactionError`` with the reason why it was refused.
    @available(iOS 11.0, *)
    nonisolated(nonsending) open func requestTransaction(with action: CXAction) async throws {
        try await request(CXTransaction(action: action))
    }
}
