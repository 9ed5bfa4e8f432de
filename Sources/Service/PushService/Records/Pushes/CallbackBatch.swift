package import Foundation
package import PushModel

/// Events of one push that wait for its callback address.
package struct CallbackBatch: Hashable, Sendable {
    /// The outcome of a part of the push on some devices.
    package struct Events: Hashable, Sendable {
        /// Counted from 1 in the order of the events.
        package var number: Int64
        package var kind: PushCallback.Kind
        package var part: CallbackPart
        package var date: Date
        package var ordinals: [DeviceOrdinal]
        /// The number of deliveries to the receiver that have failed since the event is counted.
        package var attempts: Int

        package init(
            number: Int64,
            kind: PushCallback.Kind,
            part: CallbackPart,
            date: Date,
            ordinals: [DeviceOrdinal],
            attempts: Int
        ) {
            self.number = number
            self.kind = kind
            self.part = part
            self.date = date
            self.ordinals = ordinals
            self.attempts = attempts
        }
    }

    /// The push as its sender knows it.
    package var message: MessageID
    package var callback: PushCallback
    package var events: [Events]
    /// The message whose callback this is: that of a VoIP push beside a notification has one of its own.
    package var row: Int64

    package init(message: MessageID, callback: PushCallback, row: Int64) {
        self.message = message
        self.callback = callback
        self.row = row
        events = []
    }

    /// The number of devices' events.
    package var count: Int { events.reduce(0) { $0 + $1.ordinals.count } }

    /// The numbers of the rows.
    package var numbers: [Int64] { events.map(\.number) }
}

/// The result of a step of counting new events.
package struct CallbackCount: Sendable {
    /// Whether there may be more of them.
    package var hasMore: Bool
    /// The number of devices' events that are lost because too many wait, by app.
    package var lost: [App.ID: Int]

    package init(hasMore: Bool, lost: [App.ID: Int] = [:]) {
        self.hasMore = hasMore
        self.lost = lost
    }

    /// The problem of a push with an event that cannot be read.
    package static let damage = "An event cannot be read."
    /// The problem of a push that has lost events to an app's limit.
    package static let problem = "Too many events of the app wait; see the setting callback.waiting."
}

/// The number of receivers that a node takes at a time.
package struct CallbackLimits: Sendable {
    /// The number of receivers that may be taken.
    package var receivers: Int
    /// The number of receivers of one app, with those that are served.
    package var ofApp: Int
    /// The number of rows in a lot.
    package var rows: Int
    /// The number of events in a request; one row may have more.
    package var events: Int
    /// The number of receivers that are served, by app.
    package private(set) var served: [App.ID: Int] = [:]

    package init(receivers: Int, ofApp: Int, rows: Int, events: Int) {
        self.receivers = receivers
        self.ofApp = ofApp
        self.rows = rows
        self.events = events
    }

    /// Returns how many more receivers of an app may be taken.
    package func rest(of app: App.ID) -> Int { max(0, min(receivers, ofApp - served[app, default: 0])) }

    /// The apps of which no receiver is taken at the moment.
    package var full: Set<App.ID> { Set(served.filter { $0.value >= ofApp }.keys) }

    /// Counts a lot as taken.
    package mutating func begin(_ lot: CallbackLot) {
        receivers -= 1
        served[lot.app, default: 0] += 1
    }

    /// Counts a lot as ended.
    package mutating func end(_ lot: CallbackLot) {
        receivers += 1
        served.countDown(lot.app)
    }

    /// Returns the receivers to take of those that are due: the first of each app, then the second of each, and so on.
    package func chosen<Receiver>(_ apps: [[Receiver]]) -> [Receiver] {
        let rounds = (0..<ofApp).flatMap { round in apps.compactMap { $0.dropFirst(round).first } }
        return Array(rounds.prefix(max(0, receivers)))
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
package struct CallbackState: Hashable, Codable, Sendable {
    package var url: String
    /// The number of events that the address has taken.
    package var delivered: Int
    /// The number of events that wait.
    package var waiting: Int
    /// The number of events that were given up.
    package var lost: Int
    /// The last failure; nil if there was none.
    @OrNull package var problem: String?

    package init(url: String, delivered: Int, waiting: Int, lost: Int, problem: String?) {
        self.url = url
        self.delivered = delivered
        self.waiting = waiting
        self.lost = lost
        self.problem = problem
    }
}
