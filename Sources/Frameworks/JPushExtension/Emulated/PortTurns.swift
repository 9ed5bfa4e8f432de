import PosthornClient
import PushClock
import SystemPort

/// The clock and the turns of an emulated app: waits are alarms on the clock of the phone, which tests await.
struct PortTurns: ClientClock, ClientExecutor {
    let port: PortReference

    func timer(after milliseconds: Int, _ ring: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard let port = port.port else { return {} }
        let alarm = AppWork.of(port).alarm(after: .milliseconds(milliseconds), on: port.clock, ring: ring)
        return { alarm.cancel() }
    }

    /// Nothing happens but in the turn of a call, a frame or an alarm.
    func run(_ work: @escaping @Sendable () -> Void) { work() }

    /// Never where the device has answered: it may be busy with others, and the app's observers may call it.
    func resume(_ work: @escaping @Sendable () -> Void) { port.onMain(work) }
}
