import PushModel
package import SystemPort

/// Calls from the system to the delegates of location managers. The caller binds the port.
@MainActor
package enum LocationCalls {
    package static func deliver(
        _ event: LocationEvent,
        on port: any SystemPort,
        reply: @escaping EventReplyHandler
    ) {
        let slot = LocationSlot.of(port)
        switch event {
        case .fullAccuracy(let number, let error):
            slot.takeWaiting(number)?(error.map { CLError($0) })
            return
        case .condition(let condition, let monitor): return MonitorHub.of(port).pass(condition, to: monitor)
        default: break
        }
        let managers = slot.managers.filter { $0.delegate != nil }
        // A delegate of the framework's own takes no crossing from the app's.
        let isHeard = managers.contains { !($0.delegate is any FrameworkDelegate) }
        if !isHeard, event.isCrossing { return slot.hold(event) }
        let waiting = isHeard ? slot.takeHeld() : []
        for event in waiting + [event] {
            for manager in managers {
                guard let delegate = manager.delegate else { continue }
                let use = slot.read(manager)
                Call(manager: manager, delegate: delegate, slot: slot, use: use, port: port, reply: reply).deliver(
                    event
                )
            }
        }
    }

    /// The delivery of one event to one delegate.
    @MainActor
    private struct Call {
        let manager: CLLocationManager
        let delegate: any CLLocationManagerDelegate
        let slot: LocationSlot
        /// The use of the manager before the event.
        let use: LocationSlot.Use
        let port: any SystemPort
        let reply: EventReplyHandler

        func deliver(_ event: LocationEvent) {
            switch event {
            case .authorization:
                let status = manager.authorizationStatus
                let accuracy = manager.accuracyAuthorization
                guard use.status != status || use.accuracy != accuracy else { return }
                slot.change(manager) { use in
                    use.status = status
                    use.accuracy = accuracy
                }
                authorizationChanged(isOfStatus: use.status != status)
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
            case .updated(let record): updated(CLLocation(record))
            case .changedSignificantly, .visited, .turned, .ranged, .rangingFailed, .fullAccuracy, .condition:
                deliverService(event)
            case .failed(let error):
                guard use.isUpdating || use.wantsOne else { return }
                slot.change(manager) { $0.wantsOne = false }
                call("didFailWithError:") { delegate.locationManager(manager, didFailWithError: CLError(error)) }
            }
        }

        private func authorizationChanged(isOfStatus: Bool) {
            let isCalled =
                port.facts.systemMajor >= 14
                && call(named: "locationManagerDidChangeAuthorization(_:)") {
                    delegate.locationManagerDidChangeAuthorization(manager)
                }
            guard isOfStatus, !isCalled else { return }
            call("didChangeAuthorization:") {
                delegate.locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
            }
        }

        private func deliverService(_ event: LocationEvent) {
            switch event {
            case .changedSignificantly(let record): changed(CLLocation(record))
            case .visited(let visit):
                call("didVisit:") { delegate.locationManager(manager, didVisit: CLVisit(visit)) }
            case .turned(let record):
                guard use.followsHeading, use.heading.map({ turns(from: $0, to: record) }) ?? true else { return }
                let heading = CLHeading(record)
                slot.change(manager) { $0.heading = heading }
                call("didUpdateHeading:") { delegate.locationManager(manager, didUpdateHeading: heading) }
            case .ranged(let constraint, let beacons, let date):
                ranged(beacons.map { CLBeacon($0, at: date) }, of: constraint)
            case .rangingFailed(let constraint, let error): rangingFailed(CLError(error), for: constraint)
            default: break
            }
        }

        private func ranged(_ beacons: [CLBeacon], of constraint: BeaconConstraint) {
            if use.ranged.contains(constraint) {
                call("didRange:satisfying:") {
                    let asked = CLBeaconIdentityConstraint(constraint)
                    delegate.locationManager(manager, didRange: beacons, satisfying: asked)
                }
            }
            if let region = use.rangedRegions[constraint] {
                call("didRangeBeacons:in:") { delegate.locationManager(manager, didRangeBeacons: beacons, in: region) }
            }
        }

        private func rangingFailed(_ error: CLError, for constraint: BeaconConstraint) {
            if use.ranged.contains(constraint) {
                call("didFailRangingFor:error:") {
                    let asked = CLBeaconIdentityConstraint(constraint)
                    delegate.locationManager(manager, didFailRangingFor: asked, error: error)
                }
            }
            if let region = use.rangedRegions[constraint] {
                call("rangingBeaconsDidFailFor:withError:") {
                    delegate.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error)
                }
            }
        }

        private func changed(_ location: CLLocation) {
            // The first report of a start may be the one that launched the app.
            let isKnown = use.lastChange.map { $0.timestamp == location.timestamp && $0.distance(from: location) == 0 }
            guard use.followsChanges, isKnown != true else { return }
            slot.change(manager) { $0.lastChange = location }
            call("didUpdateLocations:") { delegate.locationManager(manager, didUpdateLocations: [location]) }
        }

        private func turns(from old: CLHeading, to new: HeadingRecord) -> Bool {
            let turn = abs(old.magneticHeading - new.degrees)
            return min(turn, 360 - turn) >= max(manager.headingFilter, 0.000_001)
        }

        private func updated(_ location: CLLocation) {
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
            if isImplemented, !(delegate is any FrameworkDelegate) { reply(.ran(name)) }
            return isImplemented
        }
    }
}
