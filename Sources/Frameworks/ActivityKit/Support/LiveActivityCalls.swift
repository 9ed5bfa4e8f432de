import PushModel
package import SystemPort

/// Calls from the system to ActivityKit. The caller binds the port.
package enum LiveActivityCalls {
    package static func deliver(
        _ event: LiveActivityEvent,
        on port: any SystemPort,
        reply: @escaping EventReplyHandler
    ) {
        let hub = ActivityHub.of(port)
        switch event {
        case .changed(let record): hub.changed(record)
        case .startToken(let type): hub.arrived(port.facts.liveActivities.startTokens[type], for: type)
        case .settings: hub.settingsChanged(port.facts.liveActivities)
        case .examine(let values): reply(.activityExamined(problem: hub.problem(with: values)))
        }
    }
}
