public import Dispatch
import SystemPort

// Work that an app dispatches keeps its device. Without default arguments these overloads win against the originals.
// `OperationQueue`, `Timer` and `DispatchWorkItem` lose the device, as the porting guide explains.

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
