public import ServiceLifecycle

/// A client can be a member of a `ServiceGroup`.
///
/// ```swift
/// let group = ServiceGroup(services: [client, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// A group ends its members in the reverse order, so put those that send after the client.
extension APNSClient: Service {
    /// Waits for the group's graceful shutdown, or for the task's cancellation, and then does what ``shutdown()`` does: pushes that
    /// were accepted still get their outcomes.
    public func run() async throws {
        do { try await gracefulShutdown() } catch { await shutdown(); throw error }
        await shutdown()
    }
}
