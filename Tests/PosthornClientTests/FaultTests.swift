import Testing

@testable import PosthornClient

/// Random lives with lost answers, refusals for a while, kills and readers that come and go: everything that had been stored has
/// its effect in the end, nothing comes twice, and each caller is answered once.
@Suite("Random lives of a client")
struct FaultTests {
    private struct Life {
        var stage: ClientStage
        var random: Numbers
        var number = 0
        var position: Int64 = 0
        var deaths = 0
        /// Calls after which the process was still alive: they are stored.
        var badge = 0
        var tags: Set<String> = []
        var receipts: Set<String> = []
        var token: String?
        /// The callers of the present process.
        var callers: Set<Int> = []

        init(seed: UInt64, _ channel: ClientStage.Channel) {
            stage = ClientStage(over: channel)
            random = Numbers(state: seed)
            stage.answersRetries = false
        }

        mutating func step() {
            number += 1
            let number = number
            switch Int.random(in: 0..<16, using: &random) {
            case 0:
                stage.run { $0.request(.setBadge(number), caller: number) }
                if !stage.isDead { badge = number }
                callers.insert(number)
            case 1, 2:
                stage.run { $0.request(.addTags(["t\(number)"]), caller: number) }
                if !stage.isDead { tags.insert("t\(number)") }
                callers.insert(number)
            case 3:
                stage.run { $0.request(.setAlias("a\(number)"), keeping: .whileAwaited, caller: number) }
                callers.insert(number)
            case 4, 5:
                stage.run { $0.report([Receipt(messageID: Int64(number), event: .received, time: 1)]) }
                if !stage.isDead { receipts.insert("\(number) received") }
            case 6:
                stage.run { $0.change(caller: number) { $0.token = "\(1000 + number)" } }
                if !stage.isDead { token = "\(1000 + number)" }
                callers.insert(number)
            case 7, 8:
                position += Int64.random(in: 1...3, using: &random)
                stage.service.messages.append(CustomMessage("\(position)", at: position))
                stage.run { $0.fetchMessages() }
            case 9:
                let demands: [MessageInbox.Demand] = [.noReader, .nothing, .one, .all]
                if let demand = demands.randomElement(using: &random) { stage.run { $0.demand(demand) } }
            case 10, 11:
                let codes = [PosthornError.notSentYet, PosthornError.tooOften]
                let error = PosthornError(code: codes.randomElement(using: &random) ?? 0, message: "later")
                stage.faults = Array(repeating: .failed(error, retryAfter: nil), count: 2)
            case 12:
                stage.run { $0.rang(.retry) }
                stage.run { $0.rang(.link) }
            case 13: stage.run { $0.rang(.pause) }
            case 14:
                if let caller = stage.timed.min() { stage.run { $0.rang(.patience(caller)) } }
            default: stage.diesAt = stage.steps + Int.random(in: 1...6, using: &random)
            }
            if stage.isDead { relaunch() }
        }

        private mutating func relaunch() {
            deaths += 1
            callers = []
            stage.answers = []
            stage.timed = []
            stage.relaunch()
            stage.start()
        }

        /// The network is there again, and the app stays alive.
        mutating func end() {
            stage.diesAt = nil
            stage.faults = []
            stage.answersRetries = true
            stage.run { $0.demand(.all) }
            stage.run { $0.rang(.pause) }
            // A change of channel has no effect on what a link is waiting for.
            for _ in 0..<2 { stage.run { $0.retryNow() } }
            stage.run { $0.fetchMessages() }
        }
    }

    @Test(
        "Nothing stored is lost, nothing comes twice, each caller is answered once",
        arguments: 1...4,
        ClientStage.Channel.allCases
    )
    func lives(_ part: UInt64, _ channel: ClientStage.Channel) throws {
        for seed in (part * 1000)..<(part * 1000 + (channel == .https ? 250 : 50)) {
            var life = Life(seed: seed, channel)
            life.stage.start()
            for _ in 0..<80 { life.step() }
            life.end()
            let device = try #require(life.stage.service.devices["one"])
            #expect(device.badge >= life.badge, "seed \(seed)")
            #expect(device.tags.isSuperset(of: life.tags), "seed \(seed)")
            #expect(device.receipts.isSuperset(of: life.receipts), "seed \(seed)")
            let token = device.values.token.flatMap { Int($0) } ?? 0
            #expect(token >= life.token.flatMap { Int($0) } ?? 0, "seed \(seed)")
            #expect(life.stage.stored.queue.queue.isEmpty, "seed \(seed)")
            let delivered = life.stage.delivered.compactMap { Int64($0) }
            #expect(delivered == delivered.sorted() && Set(delivered).count == delivered.count, "seed \(seed)")
            let answered = life.stage.answers.flatMap(\.callers)
            #expect(Set(answered) == life.callers && answered.count == life.callers.count, "seed \(seed)")
            // On a link they come by themselves.
            if channel != .https { continue }
            // A process that dies between the store and the handler loses that one.
            #expect(delivered.count + life.deaths >= life.stage.service.messages.count, "seed \(seed)")
            if life.deaths == 0 { #expect(delivered.count == life.stage.service.messages.count, "seed \(seed)") }
        }
    }
}

/// SplitMix64: the same seed gives the same life.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
