import PushClock
import Tracing

// The way of a push: accepted, dispatched, scheduled, reported to callback addresses.
extension ServiceBase {
    func makeAcceptor(_ files: FileController) -> PushAcceptor {
        PushAcceptor(
            store: store,
            registry: registry,
            others: others,
            messageIDs: MessageIDSource(store: store, start: clock.date),
            clock: clock,
            calendar: calendar,
            trustedTime: trustedTime,
            laneRegistry: laneRegistry,
            router: router,
            apnsIDs: apnsIDs,
            observer: ports.observer,
            files: files,
            settings: settings,
            metrics: metrics,
            keepsEvents: settings.value.retention.events > 0,
            logger: logger
        )
    }

    func makeDispatcher() -> Dispatcher {
        let steps = StepSender(
            store: store,
            registry: registry,
            others: others,
            sender: ports.sender,
            clock: clock,
            isObserved: ports.observer != nil,
            tracer: InstrumentationSystem.backend,
            random: ports.random
        )
        let worker = LaneWorker(
            store: store,
            registry: registry,
            laneRegistry: laneRegistry,
            rates: SendRates(),
            steps: steps,
            clock: clock,
            trustedTime: trustedTime,
            apnsIDs: apnsIDs,
            observer: ports.observer,
            leases: ports.node.map { LeaseTerm(of: $0.membership) } ?? LeaseTerm(owner: ports.owner),
            zone: zone,
            metrics: metrics,
            logger: logger
        )
        return Dispatcher(store: store, laneRegistry: laneRegistry, clock: clock, logger: logger, worker: worker)
    }

    func makeSchedules() -> ScheduleController {
        let rules = settings.value.schedules
        return ScheduleController(store: store, registry: registry, rules: rules, clock: clock, signal: scheduleSignal)
    }

    func makeScheduleRunner(_ acceptor: PushAcceptor) -> ScheduleRunner {
        ScheduleRunner(
            store: store,
            registry: registry,
            acceptor: acceptor,
            rules: settings.value.schedules,
            clock: clock,
            trustedTime: trustedTime,
            signal: scheduleSignal,
            leader: leader(.schedules),
            metrics: metrics,
            logger: logger
        )
    }

    func makeCallbackRunner() -> CallbackRunner {
        CallbackRunner(
            store: store,
            registry: registry,
            sender: ports.callbacks,
            clock: clock,
            metrics: metrics,
            settings: settings,
            lookInterval: ports.node.map { _ in NodeLease.term },
            logger: logger
        )
    }
}
