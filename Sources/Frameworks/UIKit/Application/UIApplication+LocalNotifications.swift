import SystemPort

// Local notifications as apps scheduled them before iOS 10. They are stored with the pending requests of the
// notification centre. Source: Apple, `UIApplication` and `UILocalNotification`.

extension UIApplication {
    /// Schedules a copy. If there are more than 64, the soonest to fire are kept; a repeating one counts once. Without
    /// permission (iOS 8 and later) nothing is scheduled, and a log line reports it.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNUserNotificationCenter.")
    public func scheduleLocalNotification(_ notification: UILocalNotification) { add(notification, isNow: false) }

    /// Shows a copy at once, regardless of its `fireDate`.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNUserNotificationCenter.")
    public func presentLocalNotificationNow(_ notification: UILocalNotification) { add(notification, isNow: true) }

    /// Removes equal notifications, pending or delivered.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNUserNotificationCenter.")
    public func cancelLocalNotification(_ notification: UILocalNotification) {
        let port = CurrentPort.find()
        let waiting = pending(port).filter { UILocalNotification(waiting: $0, on: port) == notification }.map(
            \.identifier
        )
        if !waiting.isEmpty { port.call(.removePending(identifiers: waiting)) }
        let delivered = delivered(port).filter { $0.isLocal && UILocalNotification($0) == notification }.map(
            \.identifier
        )
        if !delivered.isEmpty { port.call(.removeDelivered(identifiers: delivered)) }
    }

    /// Removes all pending notifications, including those of the notification centre; before iOS 10 also delivered
    /// local ones.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNUserNotificationCenter.")
    public func cancelAllLocalNotifications() {
        let port = CurrentPort.find()
        port.call(.removeAllPending)
        guard port.facts.systemMajor < 10 else { return }
        let delivered = delivered(port).filter(\.isLocal).map(\.identifier)
        if !delivered.isEmpty { port.call(.removeDelivered(identifiers: delivered)) }
    }

    /// The pending notifications, the soonest first, as copies. Setting it replaces all pending ones; requests of the
    /// notification centre keep only what a `UILocalNotification` can express.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use UNUserNotificationCenter.")
    public var scheduledLocalNotifications: [UILocalNotification]? {
        get {
            let port = CurrentPort.find()
            return pending(port).map { UILocalNotification(waiting: $0, on: port) }
        }
        set {
            CurrentPort.find().call(.removeAllPending)
            for notification in newValue ?? [] { scheduleLocalNotification(notification) }
        }
    }

    private func add(_ notification: UILocalNotification, isNow: Bool) {
        let port = CurrentPort.find()
        if !isNow, notification.fireDate != nil, notification.record?.region != nil {
            RaisedException.raise(
                "A UILocalNotification has a fireDate or a region, not both.",
                name: "NSInvalidArgumentException"
            )
            return
        }
        // Never read: two random numbers from the device.
        let identifier = "legacy-\(port.randomNumber())-\(port.randomNumber())"
        guard let request = notification.request(identifier: identifier, isNow: isNow) else {
            RaisedException.raise(
                "The userInfo of a UILocalNotification must be a property list.",
                name: "NSInvalidArgumentException"
            )
            return
        }
        port.call(.add(request)) { reply in
            guard case .failed(let error) = reply else { return }
            print(
                "Attempting to schedule a local notification … haven't received permission from the user: \(error.text)"
            )
        }
    }

    private func pending(_ port: any SystemPort) -> [RequestRecord] {
        if case .requests(let requests) = port.read(.pendingRequests) { requests } else { [] }
    }

    private func delivered(_ port: any SystemPort) -> [NotificationRecord] {
        if case .notifications(let notifications) = port.read(.deliveredNotifications) { notifications } else { [] }
    }
}
