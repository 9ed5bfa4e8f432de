import DeviceLink
import PushClock
import PushModel
import Synchronization
import SystemPort

extension Device {
    /// Performs an effect of a state change, outside of the state's lock.
    func perform(_ effect: DeviceEffect) {
        switch effect {
        case .courier(let action): perform(action)
        case .launch(let executable, let process, let facts): start(executable, as: process, facts)
        case .kill(let process): kill(process)
        case .killAll: for process in shell.withLock({ $0.processes.keys.sorted() }) { kill(process) }
        case .suspend(let process): shell.withLock { $0.processes[process]?.endpoint }?.suspend()
        case .resumeProcess(let process): shell.withLock { $0.processes[process]?.endpoint }?.resume()
        case .deliver(let event, let number, let process): deliver(event, number: number, to: process)
        case .facts(let facts, let process): set(facts, process)
        case .reply(let reply, let completion): completion(reply)
        case .journey(let event, let subject):
            let id =
                if case .push(let apnsID) = subject { JourneySubject.push(apnsID: apnsID.lowercased()) } else {
                    subject
                }
            journeys.record(event, of: id)
            feed.pass(event, of: subject)
        case .deviceEvent(let deviceEvent): feed.add(deviceEvent)
        case .alarm(let alarm, let delay): set(alarm, delay)
        case .cancel(let alarm): shell.withLock { $0.alarms.removeValue(forKey: alarm) }?.alarm?.cancel()
        case .examine(let values, let push): examine(values, of: push)
        case .discard(let paths): attachments.discard(paths)
        case .save(let data, let bundleID): appDataStore?.save(data, of: bundleID)
        case .forget(let bundleID): appDataStore?.remove(bundleID)
        case .resume(let waiter): waiter()
        }
    }

    private func start(_ executable: Executable, as process: Int, _ facts: AppFacts) {
        guard let launch = launchers.withLock({ $0[facts.bundleID]?[executable] }) else { return }
        let port = AppProcess(id: process, facts: facts, device: self)
        let endpoint = launch(port)
        shell.withLock { $0.processes[process] = Process(port: port, endpoint: endpoint) }
        guard endpoint.isOwnProcess else { return }
        update { $0.began(process) }
        endpoint.whenEnded { [weak self] end in self?.ended(process, end) }
    }

    private func ended(_ process: Int, _ end: ProcessEnd) {
        guard let dead = shell.withLock({ $0.processes.removeValue(forKey: process) }) else { return }
        dead.port.die()
        update { $0.ended(process, end) }
    }

    private func set(_ facts: AppFacts, _ process: Int) {
        guard let running = shell.withLock({ $0.processes[process] }) else { return }
        running.port.set(facts)
        running.endpoint.factsChanged(facts)
    }

    private func kill(_ process: Int) {
        guard let dead = shell.withLock({ $0.processes.removeValue(forKey: process) }) else { return }
        dead.endpoint.terminate()
        dead.port.die()
        update { $0.died(process) }
    }

    private func deliver(_ event: SystemEvent, number: Int, to process: Int) {
        guard let endpoint = shell.withLock({ $0.processes[process]?.endpoint }) else { return }
        endpoint.deliver(event) { [weak self] reply in self?.handle(reply, to: number) }
    }

    func set(_ alarm: DeviceAlarm, _ delay: Duration) {
        // Registered before it is created: an alarm that is already due rings at once, and must be found.
        let (number, old) = shell.withLock { shell in
            shell.lastAlarm += 1
            let old = shell.alarms[alarm]
            shell.alarms[alarm] = PendingAlarm(number: shell.lastAlarm)
            return (shell.lastAlarm, old)
        }
        old?.alarm?.cancel()
        let ring: @Sendable () -> Void = { [weak self] in self?.ring(alarm, number) }
        let make = { Alarm(after: delay, on: self.clock, ring: ring) }
        // An app's request or answer may set these two, but the app has no work until they ring.
        let new = [.banner, .local].contains(alarm) ? CurrentPort.outside(make) : make()
        let isWanted = shell.withLock { shell in
            guard shell.alarms[alarm]?.number == number else { return false }
            shell.alarms[alarm]?.alarm = new
            return true
        }
        if !isWanted { new.cancel() }
    }

    private func ring(_ alarm: DeviceAlarm, _ number: Int) {
        guard shell.withLock({ $0.alarms[alarm]?.number == number }) else { return }
        // It counts as pending until it has been handled, so that `settled` waits for it.
        defer { shell.withLock { if $0.alarms[alarm]?.number == number { $0.alarms[alarm] = nil } } }
        update { state in
            state.rang(alarm)
            switch alarm {
            case .answer(let event): state.overran(event)
            case .banner: state.hideBanner()
            case .local: state.fireDue()
            case .fetch: state.fetchDue()
            case .summary: state.showSummary()
            case .timeChange: state.timeChanged()
            case .budget: state.releaseHeld()
            case .activities: state.activitiesDue()
            case .callAction(let action): state.callActionTimedOut(action)
            case .location(let deadline): state.reached(deadline)
            case .suspend(let bundleID): state.suspend(bundleID)
            case .courier: state.perform(state.courier.waited())
            }
        }
    }
}

extension Device {
    /// Takes a reply of an app or an extension, and moves its files into the store; if one is not acceptable, the text is used without
    /// files.
    func handle(_ reply: EventReply, to event: Int) {
        guard case .content(var content) = reply, !content.attachments.isEmpty else {
            return update { $0.replied(reply, to: event) }
        }
        let taken = try? attachments.adopt(content.attachments) { warning in
            update { state in state.warn(warning, app: state.events[event]?.bundleID) }
        }
        content.attachments = taken ?? []
        update { state in
            if taken == nil, let subject = state.events[event]?.subject { state.suppress(subject, .attachments) }
            state.replied(.content(content), to: event)
        }
    }
}
