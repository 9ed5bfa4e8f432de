public import Foundation
import SystemPort

/// Actions that are requested, and performed, together.
open class CXTransaction: NSObject, NSCopying {
    /// Identifies the transaction.
    open internal(set) var uuid = UUID()
    /// The actions, in their order.
    open private(set) var actions: [CXAction]

    /// Creates a transaction with several actions, which succeed or fail together.
    public init(actions: [CXAction]) {
        self.actions = actions
        super.init()
    }

    public convenience override init() { self.init(actions: []) }

    /// Creates a transaction with one action.
    public convenience init(action: CXAction) { self.init(actions: [action]) }

    /// Adds an action at the end.
    open func addAction(_ action: CXAction) { actions.append(action) }

    /// Whether all actions are complete.
    open var isComplete: Bool { actions.allSatisfy(\.isComplete) }

    /// Returns the transaction itself.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    var record: CallTransactionRecord {
        CallTransactionRecord(id: uuid, actions: actions.compactMap { ($0 as? CXCallAction)?.record })
    }

    convenience init(_ record: CallTransactionRecord, on port: any SystemPort) {
        self.init(actions: record.actions.map { CXCallAction.make($0, on: port) })
        uuid = record.id
    }
}
