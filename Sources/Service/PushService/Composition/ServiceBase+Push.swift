import PushClock
import Tracing

// The way of a push, made of the parts of the service: accepted, dispatched, scheduled, reported to callback addresses.

extension PushAcceptor {
    init(_ base: ServiceBase, _ files: FileController) {
        store = base.store
        registry = base.registry
        others = base.others
        self.files = files
        clock = base.clock
        calendar = base.calendar
        trustedTime = base.trustedTime
        laneRegistry = base.laneRegistry
        router = base.router
        apnsIDs = base.apnsIDs
        observer = base.ports.observer
        settings = base.settings
        metrics = base.metrics
        logger = base.logger
        past = PastPushes(store: base.store, registry: base.registry, log: base.journeyLog, settings: base.settings)
        messageIDs = MessageIDSource(store: base.store, start: base.clock.date)
        pace = base.pace
        zone = base.zone
        takeBacks = base.takeBacks
        keepsEvents = base.settings.value.retention.events > 0
    }
}

extension StepSender {
    init(_ base: ServiceBase) {
        store = base.store
        registry = base.registry
        others = base.others
        router = base.router
        clock = base.clock
        sender = base.ports.sender
        isObserved = base.ports.observer != nil
        random = base.ports.random
        tracer = InstrumentationSystem.backend
        logger = base.logger
    }
}

extension LaneWorker {
    init(_ base: ServiceBase) {
        store = base.store
        registry = base.registry
        laneRegistry = base.laneRegistry
        rates = SendRates()
        pace = base.pace
        steps = StepSender(base)
        clock = base.clock
        trustedTime = base.trustedTime
        zone = base.zone
        apnsIDs = base.apnsIDs
        observer = base.ports.observer
        journeyWatch = base.journeyLog.watch
        leases = LeaseTerm(alone: base.ports.owner, membership: base.ports.node?.membership)
        metrics = base.metrics
        logger = base.logger
    }
}

extension Dispatcher {
    init(_ base: ServiceBase) {
        store = base.store
        laneRegistry = base.laneRegistry
        clock = base.clock
        logger = base.logger
        worker = LaneWorker(base)
    }
}

extension ScheduleController {
    init(_ base: ServiceBase) {
        store = base.store
        registry = base.registry
        rules = base.settings.value.schedules
        others = base.others
        clock = base.clock
        signal = base.scheduleSignal
    }
}

extension ScheduleRunner {
    init(_ base: ServiceBase, _ acceptor: PushAcceptor) {
        store = base.store
        registry = base.registry
        self.acceptor = acceptor
        rules = base.settings.value.schedules
        signal = base.scheduleSignal
        leader = base.leader(.schedules)
        clock = base.clock
        trustedTime = base.trustedTime
        metrics = base.metrics
        logger = base.logger
    }
}

extension CallbackRunner {
    init(_ base: ServiceBase) {
        store = base.store
        registry = base.registry
        sender = base.ports.callbacks
        clock = base.clock
        metrics = base.metrics
        settings = base.settings
        logger = base.logger
        lookInterval = base.ports.node.map { _ in NodeLease.term }
    }
}
