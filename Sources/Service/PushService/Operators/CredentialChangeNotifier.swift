import PushModel

/// Lets the service use changed credentials from the next push on.
struct CredentialChangeNotifier: Sendable {
    /// Nil if no service runs on the data.
    let tester: (any CredentialTester)?
    /// Wakes the dispatcher: pushes may wait for a credential.
    let signal: (any WorkSignal)?
    /// Nil if no service runs on the data.
    let certificates: CertificateWatch?

    /// Must be called once the change is on disk.
    func credentialsChanged(of app: App.ID) async {
        await tester?.credentialsChanged(of: app)
        signal?.raise()
        await certificates?.measure()
    }
}
