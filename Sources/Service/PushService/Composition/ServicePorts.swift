package import Logging
package import PushClock
package import PushModel

/// The environment of the service: its store, the ways to APNs and to callback addresses, the clock, and the machine.
package struct ServicePorts: Sendable {
    package var store: any PushStore
    package var keys: ServiceKeys
    package var sender: any PushSender
    /// Posts to callback addresses.
    package var callbacks: any CallbackSender = NoCallbackSender()
    /// Reads certificates that developers upload.
    package var certificates: any CredentialInspector
    /// Tries credentials at APNs.
    package var tester: (any CredentialTester)?
    /// Checks whether APNs can be reached.
    package var reachability: (any APNSReachability)?
    /// The machine that `posthorn doctor` looks at; nil for a service without a data folder.
    package var machine: (any MachineInspector)?
    /// Reads the settings again, and applies those that can change while the service runs; nil for a service without settings. If a
    /// setting cannot be used, nothing changes.
    package var reload: (@Sendable () async throws(OperatorError) -> ReloadAnswer)?
    /// Wakes the dispatcher.
    package var signal: any WorkSignal = LocalWorkSignal()
    /// The owner of the dispatcher's leases; stays the same over a restart.
    package var owner = LeaseOwner.onlyNode
    /// Makes the service one of several nodes, with leases and a clock of its own; nil for a service that is alone.
    package var node: NodeContext?
    /// Tells how far the start is.
    package var reading = ReadingProgress()
    package var clock: any CivilClock
    /// Returns a number from 0 to 1, for pauses.
    package var random: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// Receives the service's own events as they happen. The store does not need it.
    package var observer: (any JourneySink)?
    package var logger: Logger

    package init(
        store: any PushStore,
        keys: ServiceKeys,
        sender: any PushSender,
        certificates: any CredentialInspector,
        clock: any CivilClock,
        logger: Logger
    ) {
        self.store = store
        self.keys = keys
        self.sender = sender
        self.certificates = certificates
        self.clock = clock
        self.logger = logger
    }
}
