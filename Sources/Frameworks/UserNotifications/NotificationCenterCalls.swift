package import SystemPort

/// Calls from the system to the centre's delegate. The caller binds the port.
@MainActor
package enum NotificationCenterCalls {
    package static let willPresentName = "userNotificationCenter(_:willPresent:withCompletionHandler:)"
    package static let didReceiveName = "userNotificationCenter(_:didReceive:withCompletionHandler:)"
    package static let openSettingsName = "userNotificationCenter(_:openSettingsFor:)"

    /// - Returns: false if there is no delegate.
    package static func willPresent(
        _ record: NotificationRecord,
        on port: any SystemPort,
        reply: @escaping EventReplyHandler
    ) -> Bool {
        guard let delegate = DelegateSlot.of(port).delegate else { return false }
        let gate = AnswerGate<UNNotificationPresentationOptions> { reply(.presentation(options: $0.rawValue)) }
        let isImplemented = MethodProbe.reaches {
            delegate.userNotificationCenter(.current(), willPresent: UNNotification(record)) { gate.answer($0) }
        }
        reply(isImplemented ? .ran(willPresentName) : .notImplemented)
        gate.decide(open: isImplemented)
        return true
    }

    /// - Returns: false if there is no delegate.
    package static func didReceive(
        _ record: ResponseRecord,
        on port: any SystemPort,
        reply: @escaping EventReplyHandler
    ) -> Bool {
        guard let delegate = DelegateSlot.of(port).responder else { return false }
        let gate = AnswerGate<Void> { reply(.responded) }
        let isImplemented = MethodProbe.reaches {
            delegate.userNotificationCenter(.current(), didReceive: .make(record)) { gate.answer(()) }
        }
        reply(isImplemented ? .ran(didReceiveName) : .notImplemented)
        gate.decide(open: isImplemented)
        return true
    }

    /// - Returns: false if there is no delegate.
    package static func openSettings(
        _ record: NotificationRecord?,
        on port: any SystemPort,
        reply: @escaping EventReplyHandler
    ) -> Bool {
        guard let delegate = DelegateSlot.of(port).delegate else { return false }
        let isImplemented = MethodProbe.reaches {
            delegate.userNotificationCenter(.current(), openSettingsFor: record.map(UNNotification.init))
        }
        reply(isImplemented ? .ran(openSettingsName) : .notImplemented)
        return true
    }
}
