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

    package init(message: MessageID, app: App.ID, callback: PushCallback, events: [Events]) {
        (self.message, self.app, self.callback, self.events) = (message, app, callback, events)
    }

    /// The number of devices' events.
    package var count: Int { events.reduce(0) { $0 + $1.ordinals.count } }
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
