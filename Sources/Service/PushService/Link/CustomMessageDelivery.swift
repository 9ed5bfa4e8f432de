import PushModel

/// What lies at one position of the log of custom messages: a message, or those of a batch.
struct CustomMessageDelivery: Sendable {
    /// A message to one device.
    struct Direct: Sendable {
        var device: DeviceOrdinal
        var message: MessageID
        var content: CustomMessage
    }

    enum Content: Sendable {
        /// One message, and to whom it goes: lists of which each rises.
        case same(CustomMessage, [OrdinalList])
        /// No two of them to the same device.
        case each([Direct])
    }

    var position: Int64
    var app: App.ID
    /// Under which the log has it.
    var logged: MessageID
    var content: Content

    /// What it takes of memory, in letters: the list of an audience has four bytes for each device.
    fileprivate var letters: Int {
        switch content {
        case .each(let letters): letters.count
        case .same(_, let lists): 1 + lists.reduce(0) { $0 + $1.ordinals.count } / 32
        }
    }
}

/// Mail that has just come to lie in the log, so that nobody has to read it there. What is missing here is there.
struct CustomMessageCache {
    enum Step {
        /// The mail that comes next in the log, in its order.
        case take([CustomMessageDelivery])
        /// What comes next has to be read from the log.
        case look
        /// Nothing is there.
        case wait
    }

    /// Letters that are kept at most: beyond, who hands them out is so far behind that it may as well read.
    private static let capacity = 20_000

    /// In the order of the log.
    private var mail: [CustomMessageDelivery] = []
    private var letters = 0
    /// Something was accepted that may not be here.
    private var hasMissed = false

    mutating func add(_ new: [CustomMessageDelivery]) {
        letters += new.reduce(0) { $0 + $1.letters }
        if letters > Self.capacity {
            miss()
        } else {
            mail.append(contentsOf: new)
        }
    }

    mutating func miss() {
        (mail, letters) = ([], 0)
        hasMissed = true
    }

    /// * `position`: up to where everything was handed out.
    mutating func next(after position: Int64) -> Step {
        if hasMissed {
            hasMissed = false
            return .look
        }
        remove(mail.prefix { $0.position <= position }.count)
        guard let first = mail.first else { return .wait }
        guard first.position == position + 1 else { return .look }
        var last = position
        let run = mail.prefix { next in
            defer { last = next.position }
            return next.position == last + 1
        }
        remove(run.count)
        return .take(Array(run))
    }

    private mutating func remove(_ count: Int) {
        letters -= mail.prefix(count).reduce(0) { $0 + $1.letters }
        mail.removeFirst(count)
    }

    /// The position of the last mail here. It was in the log before it came here: a later look at the log that does not find it
    /// says that it was taken out.
    var newest: Int64? { mail.last?.position }
}
