package import PushModel

/// Hands pushes to APNs.
package protocol PushSender: Sendable {
    /// Sends pushes and returns when each of them has its outcome, exactly once.
    ///
    /// Problems that need no pause (a lost connection, an expired provider token) are fixed inside. Pushes that APNs wants to
    /// receive again later are returned as undecided at once: the caller has them on disk. A push that may have reached APNs is not
    /// given up while its response may still arrive.
    func send(_ batch: SendBatch, for app: App, environment: APNSEnvironment) async -> SendOutcomes

    /// Returns the present state of the connections to APNs, by app, environment and credential; none before the first push of an
    /// app.
    func connections() async -> [SenderConnections]
}

/// The connections to APNs with one credential of an app in one environment.
package struct SenderConnections: Sendable {
    package var app: App.ID
    package var environment: APNSEnvironment
    package var credential: SealedCredential.ID
    /// The number of connections that accept pushes.
    package var open: Int
    /// The number of pushes that wait for their turn.
    package var waiting: Int
    /// Whether APNs refused the credential, so that no push is sent with it.
    package var isCredentialRefused: Bool
    /// The reason why the last connection failed or ended; nil if none has.
    package var lastTrouble: String?

    package init(
        app: App.ID,
        environment: APNSEnvironment,
        credential: SealedCredential.ID,
        open: Int,
        waiting: Int = 0,
        isCredentialRefused: Bool = false,
        lastTrouble: String? = nil
    ) {
        self.app = app
        self.environment = environment
        self.credential = credential
        self.open = open
        self.waiting = waiting
        self.isCredentialRefused = isCredentialRefused
        self.lastTrouble = lastTrouble
    }
}

/// The outcome of sending one push.
package struct SendOutcome: Sendable {
    package enum Ending: Sendable, Equatable {
        /// APNs answered 200.
        case sent
        /// APNs refused this push; with a 410 it says when it found the token invalid, in milliseconds since 1970.
        case refused(APNSReason, unregisteredAt: Int64?)
        /// APNs refused the app, or the app has no credential: other pushes would fail too.
        case paused(PauseReason, detail: String)
        /// There was no response (to APNs clients a failure), or only one that asks to retry. `after` is the delay that APNs asks for.
        case undecided(String, after: Duration?)

        /// There was no response.
        package static func unreachable(_ description: String) -> Ending { .undecided(description, after: nil) }
    }

    package var ending: Ending
    /// The reasons for earlier retries.
    package var retries: [String]

    package init(_ ending: Ending, retries: [String] = []) {
        self.ending = ending
        self.retries = retries
    }
}

/// The outcomes of a batch.
package struct SendOutcomes: Sendable {
    /// The indices of the pushes that were answered with 200 at the first attempt.
    package private(set) var sentAtOnce = PlaceSet()
    /// All others, by index.
    package private(set) var others: [Int: SendOutcome] = [:]

    package init() {}

    /// Creates the same outcome for all pushes of a batch.
    package init(all count: Int, _ outcome: SendOutcome) {
        for index in 0..<count { others[index] = outcome }
    }

    package mutating func addSent(_ index: Int) { sentAtOnce.insert(index) }

    /// The indices of the pushes that APNs refused because of their credential, in ascending order.
    package var refusedPlaces: [Int] {
        others.filter { outcome in
            switch outcome.value.ending {
            case .paused(.credentialRefused, _), .paused(.credentialScope, _): true
            case .paused, .sent, .refused, .undecided: false
            }
        }.map(\.key).sorted()
    }

    /// Replaces the outcomes of pushes, which are not among ``sentAtOnce``, by those of another attempt, in which they had the
    /// indices from 0 on.
    package mutating func replace(_ places: [Int], by attempt: SendOutcomes) {
        for (index, place) in places.enumerated() {
            others[place] = nil
            if attempt.sentAtOnce.contains(index) {
                sentAtOnce.insert(place)
            } else if let outcome = attempt.others[index] {
                add(outcome, of: place)
            }
        }
    }

    package mutating func add(_ outcome: SendOutcome, of index: Int) {
        if outcome.ending == .sent, outcome.retries.isEmpty {
            sentAtOnce.insert(index)
        } else {
            others[index] = outcome
        }
    }
}

/// The pushes of one step, ready for APNs. All payloads share one piece of memory, so that a push costs no allocation.
package struct SendBatch: Sendable {
    package struct Push: Sendable {
        /// The apns-id, as the two halves of a UUID.
        package var id: APNSID
        package var token: DeviceToken
        /// The index in ``SendBatch/headers``.
        package var headers: Int
        /// The range in ``SendBatch/bytes``.
        package var payload: Range<Int>
    }

    package private(set) var headers: [APNSHeaders] = []
    package private(set) var pushes: [Push] = []
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { pushes.count }

    /// The value of `apns-topic` of all pushes; nil if they have several.
    package var topic: String? {
        let topic = headers.first?.topic
        return headers.allSatisfy { $0.topic == topic } ? topic : nil
    }

    /// Returns some of the pushes, which have the indices from 0 on there.
    package func part(_ places: [Int]) -> SendBatch {
        var part = self
        part.pushes = places.map { pushes[$0] }
        return part
    }

    mutating func reserve(_ count: Int, payloadBytes: Int) {
        pushes.reserveCapacity(count)
        bytes.reserveCapacity(count * payloadBytes)
    }

    /// Adds header fields, unless they equal the last ones.
    ///
    /// - Returns: the index by which pushes refer to them.
    mutating func use(_ headers: APNSHeaders) -> Int {
        if self.headers.last != headers { self.headers.append(headers) }
        return self.headers.count - 1
    }

    /// Adds a push, whose payload a function appends.
    mutating func add(_ id: APNSID, _ token: DeviceToken, headers: Int, payload: (inout [UInt8]) -> Void) {
        let start = bytes.count
        payload(&bytes)
        pushes.append(Push(id: id, token: token, headers: headers, payload: start..<bytes.count))
    }
}
