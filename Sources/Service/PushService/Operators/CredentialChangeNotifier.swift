/// Lets the service use changed credentials from the next push on.
struct CredentialChangeNotifier: Sendable {
    /// Nil if no service runs on the data.
    let trials: CredentialTrials?
    /// Wakes the dispatcher: pushes may wait for a credential.
    let signal: (any WorkSignal)?
    /// Nil if no service runs on the data.
    let certificates: CertificateWatch?
    /// Tells other nodes.
    var announce: @Sendable () -> Void = {}

    /// Must be called once the change is on disk.
    func credentialsChanged(of app: App.ID) async {
        announce()
        await applyChange(of: app)
    }

    /// Lets this node use credentials that another node has changed.
    func applyChange(of app: App.ID) async {
        await trials?.credentialsChanged(of: app)
        signal?.raise()
        await certificates?.measure()
    }
}
