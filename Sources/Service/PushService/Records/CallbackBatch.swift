package import Foundation
package import PushModel

/// Events of one push that wait for its callback address.
package struct CallbackBatch: Hashable, Sendable {
    /// What became of a part of the push on some devices.
    package struct Events: Hashable, Sendable {
        /// Counted from 1 in the order of the events.
        package var number: Int64
        package var kind: PushCallback.Kind
        package var part: CallbackPart
        package var date: Date
        package var ordinals: [DeviceOrdinal]
        /// The number of deliveries that have failed.
        package var attempts: Int

        package init(
            number: Int64,
            kind: PushCallback.Kind,
            part: CallbackPart,
            date: Date,
            ordinals: [DeviceOrdinal],
            attempts: Int
        ) {
            (self.number, self.kind, self.part, self.date) = (number, kind, part, date)
            (self.ordinals, self.attempts) = (ordinals, attempts)
        }
    }

    /// The push as its sender knows it.
    package var message: MessageID
    package var app: App.ID
    package var callback: PushCallback
    package var events: [Events]
    /// The number of the receiver: pushes to one server have the same.
    package var receiver: Int64 = 0
    /// The number of deliveries to the receiver that have failed since the last that did not.
    package var failures = 0

    package init(message: MessageID, app: App.ID, callback: PushCallback, events: [Events]) {
        (self.message, self.app, self.callback, self.events) = (message, app, callback, events)
    }

    /// The number of devices' events.
    package var count: Int { events.reduce(0) { $0 + $1.ordinals.count } }
}

/// The number of events that a node takes at a time.
package struct CallbackLimits: Sendable {
    /// The number of pushes.
    package var pushes: Int
    /// The number of a push's events; one row may have more.
    package var events: Int
    /// The number of pushes to one receiver, with those under way. A receiver that has failed gets one.
    package var share: Int
    /// The failures of the receivers that deliveries are under way to, one for each delivery, by the number of the receiver.
    package var underWay: [Int64: [Int]] = [:]

    package init(pushes: Int, events: Int, share: Int) {
        (self.pushes, self.events, self.share) = (pushes, events, share)
    }

    /// The receivers that are given nothing more at the moment.
    package var busy: Set<Int64> {
        Set(underWay.filter { rest(of: $0.key, failures: $0.value.max() ?? 0) == 0 }.keys)
    }

    /// Counts a delivery as ended.
    package mutating func end(_ batch: CallbackBatch) {
        pushes += 1
        var rest = underWay[batch.receiver, default: []]
        if let place = rest.firstIndex(of: batch.failures) { rest.remove(at: place) }
        underWay[batch.receiver] = rest.isEmpty ? nil : rest
    }

    /// Returns how many more pushes a receiver may be given.
    ///
    /// - Parameters:
    ///   - receiver: the number of the receiver.
    ///   - failures: the number of deliveries to it that have failed since the last that did not.
    /// - Returns: the number; 0 for a receiver that has its share.
    package func rest(of receiver: Int64, failures: Int) -> Int {
        max(0, (failures > 0 ? 1 : share) - underWay[receiver, default: []].count)
    }
}

extension PushCallback {
    /// Returns scheme, host and port of a URL, by which receivers are told apart. Paths and queries may hold secrets.
    package static func receiver(of url: String) -> String {
        var slashes = 0
        return url.prefix { character in
            slashes += character == "/" ? 1 : 0
            return slashes < 3 && character != "?" && character != "#"
        }.lowercased()
    }
}

/// A part of a push, which a device receives by itself.
package enum CallbackPart: String, Hashable, Sendable {
    /// The notification, or the event of a Live Activity.
    case notification
    /// The VoIP push.
    case voip
    /// The custom message.
    case message
    /// The in-app message.
    case inApp = "inapp"
}

/// The state of a push's callback.
package struct CallbackState: Hashable, Sendable {
    package var url: String
    /// The number of events that the address has taken.
    package var delivered: Int
    /// The number of events that wait.
    package var waiting: Int
    /// The number of events that were given up.
    package var lost: Int
    /// The last failure; nil if there was none.
    package var problem: String?

    package init(url: String, delivered: Int, waiting: Int, lost: Int, problem: String?) {
        (self.url, self.delivered, self.waiting) = (url, delivered, waiting)
        (self.lost, self.problem) = (lost, problem)
    }
}
