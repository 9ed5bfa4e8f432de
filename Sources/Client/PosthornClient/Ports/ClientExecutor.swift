/// Runs the work of a client.
public protocol ClientExecutor: Sendable {
    /// Runs work, within the call or later, in the order of the calls.
    func run(_ work: @escaping @Sendable () -> Void)

    /// Runs work that has waited for the store, never within the call.
    func resume(_ work: @escaping @Sendable () -> Void)
}
