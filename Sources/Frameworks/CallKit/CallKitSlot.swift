import Foundation
import SystemPort

/// The providers and observers of one process of an app, held weakly.
///
/// `@unchecked Sendable`: an app's objects need not be Sendable; the lists are read and written under the lock, and delegates are
/// called on their queue only.
final class CallKitSlot: PortSlot, @unchecked Sendable {
    struct Provider {
        weak var provider: CXProvider?
        weak var delegate: (any CXProviderDelegate)?
        var queue = DelegateQueue(nil)
        var configuration: CXProviderConfiguration
        var transactions: [CXTransaction] = []
    }

    private struct Observer {
        weak var observer: CXCallObserver?
        weak var delegate: (any CXCallObserverDelegate)?
        var queue = DelegateQueue(nil)
    }

    private let lock = NSLock()
    private var providers: [Int: Provider] = [:]
    private var observers: [Observer] = []

    /// Reads or changes what is kept of a provider; nil if there is none with the number.
    func with<Result>(_ number: Int, _ body: (inout Provider?) -> Result) -> Result {
        lock.withLock { body(&providers[number]) }
    }

    /// Returns a provider with its delegate and the delegate's queue; nil without a delegate.
    func target(_ number: Int) -> (provider: CXProvider, delegate: any CXProviderDelegate, queue: DelegateQueue)? {
        lock.withLock {
            guard let entry = providers[number], let provider = entry.provider, let delegate = entry.delegate else {
                return nil
            }
            return (provider, delegate, entry.queue)
        }
    }

    func pending(of provider: CXProvider) -> [CXTransaction] {
        lock.withLock {
            providers[provider.number]?.transactions.removeAll(where: \.isComplete)
            return providers[provider.number]?.transactions ?? []
        }
    }

    // MARK: Observers

    func set(_ delegate: (any CXCallObserverDelegate)?, _ queue: DelegateQueue, of observer: CXCallObserver) {
        lock.withLock {
            observers.removeAll { $0.observer == nil || $0.observer === observer }
            observers.append(Observer(observer: observer, delegate: delegate, queue: queue))
        }
    }

    var observerTargets: [(observer: CXCallObserver, delegate: any CXCallObserverDelegate, queue: DelegateQueue)] {
        lock.withLock {
            observers.compactMap { entry in
                guard let observer = entry.observer, let delegate = entry.delegate else { return nil }
                return (observer, delegate, entry.queue)
            }
        }
    }
}
