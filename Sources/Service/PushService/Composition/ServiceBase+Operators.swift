// What operators and developers reach, and the service's care for its own data, made of the parts of the service.

extension ClockWatch {
    init(_ base: ServiceBase) {
        (trustedTime, store, clock, logger) = (base.trustedTime, base.store, base.clock, base.logger)
        signals = [base.laneRegistry.signal, base.scheduleSignal, base.store.callbackSignal]
        leader = base.leader(.housekeeping)
    }
}

extension DeveloperController {
    init(_ base: ServiceBase) {
        (store, registry, vault) = (base.store, base.registry, base.vault)
        (inspector, notifier, clock) = (base.ports.certificates, base.notifier, base.clock)
    }
}

extension Retention {
    init(_ base: ServiceBase) {
        (store, registry, others, shared) = (base.store, base.registry, base.others, base.ports.node?.store)
        (settings, calendar, logger) = (base.settings, base.calendar, base.logger)
    }
}

extension OperatorController {
    init(_ base: ServiceBase, doctor: Doctor, retention: Retention) {
        (store, registry, vault, notifier) = (base.store, base.registry, base.vault, base.notifier)
        (clock, settings, self.doctor, self.retention) = (base.clock, base.settings, doctor, retention)
        (inspector, machine) = (base.ports.certificates, base.ports.machine)
        (reload, nodes) = (base.ports.reload, base.ports.node?.store)
    }
}

extension Housekeeper {
    init(_ base: ServiceBase, online: OnlineNotes, retention: Retention) {
        (self.online, self.retention, certificates) = (online, retention, base.certificates)
        (leader, trustedTime) = (base.leader(.housekeeping), base.trustedTime)
        (clock, calendar, logger) = (base.clock, base.calendar, base.logger)
    }
}
