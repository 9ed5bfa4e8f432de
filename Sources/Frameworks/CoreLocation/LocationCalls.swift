import PushModel
package import SystemPort

/// Calls from the system to the delegates of location managers. The caller binds the port.
@MainActor
package enum LocationCalls {
    package static func deliver(
        _ event: LocationEvent,
        on port: any SystemPort,
        reply: @escaping @Sendable (EventReply) -> Void
    ) {
        let slot = LocationSlot.of(port)
        let managers = slot.managers.filter { $0.delegate != nil }
        if managers.isEmpty, event.isCrossing { return slot.hold(event) }
        let waiting = managers.isEmpty ? [] : slot.takeHeld()
        for event in waiting + [event] {
            for manager in managers {
                guard let delegate = manager.delegate else { continue }
                Call(manager: manager, delegate: delegate, port: port, reply: reply).deliver(event, slot)
            }
        }
    }

    /// The delivery of one event to one delegate.
    @MainActor
    private struct Call {
        let manager: CLLocationManager
        let delegate: any CLLocationManagerDelegate
        let port: any SystemPort
        let reply: @Sendable (EventReply) -> Void

        func deliver(_ event: LocationEvent, _ slot: LocationSlot) {
            switch event {
            case .authorization:
                let status = manager.authorizationStatus
                guard slot.read(manager).status != status else { return }
                slot.change(manager) { $0.status = status }
                authorizationChanged()
            case .startedMonitoring(let region):
                call("didStartMonitoringFor:") {
                    delegate.locationManager(manager, didStartMonitoringFor: .make(region))
                }
            case .monitoringFailed(let region, let error):
                call("monitoringDidFailFor:withError:") {
                    delegate.locationManager(manager, monitoringDidFailFor: .make(region), withError: CLError(error))
                }
            case .crossed(let region, .entry):
                call("didEnterRegion:") { delegate.locationManager(manager, didEnterRegion: .make(region)) }
            case .crossed(let region, .exit):
                call("didExitRegion:") { delegate.locationManager(manager, didExitRegion: .make(region)) }
            case .state(let region, let state):
                call("didDetermineState:for:") {
                    delegate.locationManager(manager, didDetermineState: CLRegionState(state), for: .make(region))
                }
            case .updated(let record): updated(CLLocation(record), slot)
            case .failed(let error):
                let use = slot.read(manager)
                guard use.isUpdating || use.wantsOne else { return }
                slot.change(manager) { $0.wantsOne = false }
                call("didFailWithError:") { delegate.locationManager(manager, didFailWithError: CLError(error)) }
            }
        }

        private func authorizationChanged() {
            let version = port.facts.systemVersion.split(separator: ".").first.flatMap { Int($0) } ?? 17
            if version >= 14,
                call(
                    named: "locationManagerDidChangeAuthorization(_:)",
                    {
                        delegate.locationManagerDidChangeAuthorization(manager)
                    }
                )
            {
                return
            }
            call("didChangeAuthorization:") {
                delegate.locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
            }
        }

        private func updated(_ location: CLLocation, _ slot: LocationSlot) {
            let use = slot.read(manager)
            guard use.wantsOne || use.isUpdating && isNews(location, after: use.lastReported) else { return }
            slot.change(manager) { use in
                use.wantsOne = false
                use.lastReported = location
            }
            call("didUpdateLocations:") { delegate.locationManager(manager, didUpdateLocations: [location]) }
        }

        /// Whether the location is new to this manager: another manager's request may bring one that it already has.
        private func isNews(_ location: CLLocation, after last: CLLocation?) -> Bool {
            guard let last else { return true }
            let distance = location.distance(from: last)
            return distance >= manager.distanceFilter && (distance > 0 || location.timestamp != last.timestamp)
        }

        private func call(_ labels: String, _ method: () -> Void) {
            call(named: "locationManager(_:\(labels))", method)
        }

        @discardableResult
        private func call(named name: String, _ method: () -> Void) -> Bool {
            let isImplemented = MethodProbe.reaches(method)
            if isImplemented { reply(.ran(name)) }
            return isImplemented
        }
    }
}
