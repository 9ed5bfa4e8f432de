public import Dispatch
import SystemPort

// Work that an app sends elsewhere stays on its device. Without default arguments these win against the originals.
// `OperationQueue`, `Timer` and `DispatchWorkItem` lose the device; the porting guide says so.

extension DispatchQueue {
    /// As Dispatch's own; the work knows its device.
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {
        let port = CurrentPort.bound
        async(group: nil) { CurrentPort.$bound.withValue(port, operation: work) }
    }

    /// As Dispatch's own; the work knows its device. The time is the machine's, not the device's.
    public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void) {
        let port = CurrentPort.bound
        asyncAfter(deadline: deadline, qos: .unspecified) { CurrentPort.$bound.withValue(port, operation: work) }
    }
}

extension Task where Failure == Never {
    /// As Swift's own; the task knows its device.
    @discardableResult
    public static func detached(operation: sending @escaping @isolated(any) () async -> Success) -> Task<Success, Never>
    {
        let port = CurrentPort.bound
        return Task.detached(priority: nil) {
            await CurrentPort.$bound.withValue(port) { await operation() }
        }
    }
}

extension Task where Failure == any Error {
    /// As Swift's own; the task knows its device.
    @discardableResult
    public static func detached(
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        let port = CurrentPort.bound
        return Task.detached(priority: nil) {
            try await CurrentPort.$bound.withValue(port) { try await operation() }
        }
    }
}
