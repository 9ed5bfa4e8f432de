// What operators and developers reach, and the service's care for its own data, made of the parts of the service.

extension ClockWatch {
    init(_ base: ServiceBase) {
        trustedTime = base.trustedTime
        store = base.store
        clock = base.clock
        logger = base.logger
        signals = [base.laneRegistry.signal, base.scheduleSignal, base.store.callbackSignal]
        leader = base.leader(.housekeeping)
    }
}

extension DeveloperController {
    init(_ base: ServiceBase) {
        store = base.store
        registry = base.registry
        vault = base.vault
        inspector = base.ports.certificates
        notifier = base.notifier
        clock = base.clock
    }
}

extension Retention {
    init(_ base: ServiceBase) {
        store = base.store
        registry = base.registry
        others = base.others
        shared = base.ports.node?.store
        settings = base.settings
        calendar = base.calendar
        logger = base.logger
    }
}

extension OperatorController {
    init(_ base: ServiceBase, doctor: Doctor, retention: Retention) {
        store = base.store
        registry = base.registry
        vault = base.vault
        notifier = base.notifier
        clock = base.clock
        settings = base.settings
        self.doctor = doctor
        self.retention = retention
        inspector = base.ports.certificates
        machine = base.ports.machine
        reload = base.ports.reload
        nodes = base.ports.node?.store
    }
}

extension Housekeeper {
    init(_ base: ServiceBase, online: OnlineNotes, retention: Retention) {
        self.online = online
        self.retention = retention
        certificates = base.certificates
        leader = base.leader(.housekeeping)
        trustedTime = base.trustedTime
        clock = base.clock
        calendar = base.calendar
        logger = base.logger
    }
}
