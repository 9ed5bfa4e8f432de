// What operators and developers reach, and the service's care for its own data.
extension ServiceBase {
    func makeReadiness() -> Readiness {
        Readiness(store: store, apns: ports.reachability, environments: settings.value.environments, clock: clock)
    }

    func makeClockWatch() -> ClockWatch {
        ClockWatch(
            trustedTime: trustedTime,
            store: store,
            clock: clock,
            signals: [laneRegistry.signal, scheduleSignal, store.callbackSignal],
            leader: leader(.housekeeping),
            logger: logger
        )
    }

    func makeDevelopers() -> DeveloperController {
        DeveloperController(
            store: store,
            registry: registry,
            vault: vault,
            inspector: ports.certificates,
            notifier: notifier,
            clock: clock
        )
    }

    func makeRetention() -> Retention {
        Retention(
            store: store,
            registry: registry,
            others: others,
            settings: settings,
            shared: ports.node?.store,
            calendar: calendar,
            logger: logger
        )
    }

    func makeOperators(_ doctor: Doctor, _ retention: Retention) -> OperatorController {
        OperatorController(
            store: store,
            registry: registry,
            vault: vault,
            inspector: ports.certificates,
            notifier: notifier,
            doctor: doctor,
            machine: ports.machine,
            retention: retention,
            reload: ports.reload,
            nodes: ports.node?.store,
            clock: clock,
            settings: settings
        )
    }

    func makeHousekeeper(_ online: OnlineNotes, _ retention: Retention) -> Housekeeper {
        Housekeeper(
            online: online,
            retention: retention,
            certificates: certificates,
            leader: leader(.housekeeping),
            trustedTime: trustedTime,
            clock: clock,
            calendar: calendar,
            logger: logger
        )
    }
}
