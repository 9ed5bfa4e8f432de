import PushClock
import Tracing

// The way of a push, made of the parts of the service: accepted, dispatched, scheduled, reported to callback addresses.

extension PushAcceptor {
    init(_ base: ServiceBase, _ files: FileController) {
        (store, registry, others, self.files) = (base.store, base.registry, base.others, files)
        (clock, calendar, trustedTime) = (base.clock, base.calendar, base.trustedTime)
        (laneRegistry, router, apnsIDs) = (base.laneRegistry, base.router, base.apnsIDs)
        (observer, settings, metrics, logger) = (base.ports.observer, base.settings, base.metrics, base.logger)
        messageIDs = MessageIDSource(store: base.store, start: base.clock.date)
        keepsEvents = base.settings.value.retention.events > 0
    }
}

extension StepSender {
    init(_ base: ServiceBase) {
        (store, registry, others, clock) = (base.store, base.registry, base.others, base.clock)
        (sender, isObserved, random) = (base.ports.sender, base.ports.observer != nil, base.ports.random)
        tracer = InstrumentationSystem.backend
    }
}

extension LaneWorker {
    init(_ base: ServiceBase) {
        (store, registry, laneRegistry) = (base.store, base.registry, base.laneRegistry)
        (rates, steps) = (SendRates(), StepSender(base))
        (clock, trustedTime, zone) = (base.clock, base.trustedTime, base.zone)
        (apnsIDs, observer) = (base.apnsIDs, base.ports.observer)
        journeyWatch = base.journeyLog.watch
        leases = base.ports.node.map { LeaseTerm(of: $0.membership) } ?? LeaseTerm(owner: base.ports.owner)
        (metrics, logger) = (base.metrics, base.logger)
    }
}

extension Dispatcher {
    init(_ base: ServiceBase) {
        (store, laneRegistry, clock) = (base.store, base.laneRegistry, base.clock)
        (logger, worker) = (base.logger, LaneWorker(base))
    }
}

extension ScheduleController {
    init(_ base: ServiceBase) {
        (store, registry, rules) = (base.store, base.registry, base.settings.value.schedules)
        (others, clock, signal) = (base.others, base.clock, base.scheduleSignal)
    }
}

extension ScheduleRunner {
    init(_ base: ServiceBase, _ acceptor: PushAcceptor) {
        (store, registry, self.acceptor) = (base.store, base.registry, acceptor)
        (rules, signal, leader) = (base.settings.value.schedules, base.scheduleSignal, base.leader(.schedules))
        (clock, trustedTime, metrics, logger) = (base.clock, base.trustedTime, base.metrics, base.logger)
    }
}

extension CallbackRunner {
    init(_ base: ServiceBase) {
        (store, registry, sender, clock) = (base.store, base.registry, base.ports.callbacks, base.clock)
        (metrics, settings, logger) = (base.metrics, base.settings, base.logger)
        lookInterval = base.ports.node.map { _ in NodeLease.term }
    }
}
