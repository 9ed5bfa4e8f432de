package import Foundation

/// Events for one receiver that are delivered together. A receiver has one lot at a time.
package struct CallbackLot: Sendable {
    /// The number of the receiver: pushes of an app to one server have the same.
    package var receiver: Int64
    package var app: App.ID
    /// The number of lots that have failed since the last that did not.
    package var failures: Int
    /// The time until which no other node takes the receiver.
    package var lease: Date
    /// The events by push, in the order in which they are due.
    package var batches: [CallbackBatch] = []
    /// The numbers of rows that cannot be read, which are given up.
    package var unreadable: [Int64] = []
    /// The rows of ``CallbackBatch/row`` whose batches are full.
    private var full: Set<Int64> = []

    package init(receiver: Int64, app: App.ID, failures: Int, lease: Date) {
        self.receiver = receiver
        self.app = app
        self.failures = failures
        self.lease = lease
    }

    /// Adds a row of events to the batch of its push, unless that would have more events than a request may have. `events`
    /// throws ``CorruptRow`` if the row cannot be read; `callback` returns the message's batch without events, nil if it is
    /// deleted.
    package mutating func add(
        _ events: () throws -> CallbackBatch.Events,
        number: Int64,
        of row: Int64,
        limit: Int,
        callback: () throws -> CallbackBatch?
    ) throws {
        let found: CallbackBatch.Events
        do { found = try events() } catch is CorruptRow { return unreadable.append(number) }
        guard let place = batches.firstIndex(where: { $0.row == row }) else {
            // The first delivery after a failure finds out whether the receiver is back.
            guard failures == 0 || batches.isEmpty else { return }
            guard var batch = try callback() else { return unreadable.append(number) }
            batch.events = [found]
            return batches.append(batch)
        }
        // A batch that has left out a row takes no later one.
        guard !full.contains(row), batches[place].count + found.ordinals.count <= limit else {
            full.insert(row)
            return
        }
        batches[place].events.append(found)
    }
}

/// The deliveries of a lot. What it does not name waits as before.
package struct CallbackOutcome: Sendable {
    /// A failed delivery.
    package struct Failure: Sendable {
        package var batch: CallbackBatch
        package var problem: String
        /// The time at which the events are due again.
        package var retry: Date

        package init(_ batch: CallbackBatch, _ problem: String, retry: Date) {
            self.batch = batch
            self.problem = problem
            self.retry = retry
        }
    }

    /// The batches that the address has taken.
    package var delivered: [CallbackBatch] = []
    /// The batches that the address must not be told, with the reason.
    package var refused: [(batch: CallbackBatch, problem: String)] = []
    package var failed: [Failure] = []
    /// Whether the receiver is down: nothing was delivered. Then everything that waits for it counts the failure and waits.
    package var isDown: Bool { delivered.isEmpty && !failed.isEmpty }

    package init() {}
}
