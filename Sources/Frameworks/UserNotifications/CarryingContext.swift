public import Dispatch
import SystemPort

// Work that an app dispatches keeps its device. Without default arguments these overloads win against the originals.
// What Foundation calls by itself (`Timer`, `OperationQueue`, `URLSession`'s handlers) loses the device: its methods have no default
// arguments, so no overload can be preferred. The porting guide names the remedies.

extension DispatchQueue {
    /// Works like Dispatch's own; the work keeps its device.
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {
        let port = CurrentPort.bound
        async(group: nil) { CurrentPort.$bound.withValue(port, operation: work) }
    }

    /// Works like Dispatch's own; the work keeps its device. The time is the system's, not the device's.
    public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void) {
        let port = CurrentPort.bound
        asyncAfter(deadline: deadline, qos: .unspecified) { CurrentPort.$bound.withValue(port, operation: work) }
    }
}

extension DispatchWorkItem {
    /// Works like Dispatch's own; the work keeps its device.
    public convenience init(block: @escaping @convention(block) () -> Void) {
        let port = CurrentPort.bound
        self.init(qos: .unspecified, flags: []) { CurrentPort.$bound.withValue(port, operation: block) }
    }
}

extension DispatchGroup {
    /// Works like Dispatch's own; the work keeps its device.
    public func notify(queue: DispatchQueue, execute work: @escaping @Sendable @convention(block) () -> Void) {
        let port = CurrentPort.bound
        notify(qos: .unspecified, flags: [], queue: queue) { CurrentPort.$bound.withValue(port, operation: work) }
    }
}

extension DispatchSourceProtocol {
    /// Works like Dispatch's own; the handler keeps its device.
    public func setEventHandler(handler: @escaping @convention(block) () -> Void) {
        let port = CurrentPort.bound
        setEventHandler(qos: .unspecified, flags: []) { CurrentPort.$bound.withValue(port, operation: handler) }
    }
}

extension Task where Failure == Never {
    /// Works like Swift's own; the task keeps its device.
    @discardableResult
    public static func detached(operation: sending @escaping @isolated(any) () async -> Success) -> Task<Success, Never>
    {
        let port = CurrentPort.bound
        // Detached, as the app asked.
        return Task.detached(priority: nil) {
            await CurrentPort.$bound.withValue(port) { await operation() }
        }
    }
}

extension Task where Failure == any Error {
    /// Works like Swift's own; the task keeps its device.
    @discardableResult
    public static func detached(
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        let port = CurrentPort.bound
        // Detached, as the app asked.
        return Task.detached(priority: nil) {
            try await CurrentPort.$bound.withValue(port) { try await operation() }
        }
    }
}
