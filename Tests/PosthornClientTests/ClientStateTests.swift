import Testing

@testable import PosthornClient

@Suite("The client's rules")
struct ClientStateTests {
    private static let away = CallOutcome.failed(PosthornError(code: 6002, message: "away"), retryAfter: nil)

    @Test("Registers once, and reports later starts of the app")
    func registers() throws {
        var stage = ClientStage()
        stage.start()
        #expect(stage.calls == [.register(ClientStage.values), .messages(after: nil)])
        let first = try #require(stage.client.saved.registration)
        stage.calls = []
        stage.relaunch()
        stage.start()
        #expect(stage.calls == [.update(ClientStage.values, from: ClientStage.values), .messages(after: nil)])
        #expect(stage.client.saved.registration == first)
        #expect(stage.identities.count == 2, "Each process hears of the identity.")
    }

    @Test("A token is sent with the registration, or after it, and again when it changes")
    func tokens() {
        var stage = ClientStage()
        stage.start()
        stage.run { $0.change { $0.token = "aa" } }
        #expect(stage.service.devices["one"]?.values.token == "aa")
        stage.run { $0.change { $0.token = "aa" } }
        stage.run { $0.change { $0.token = "bb" } }
        #expect(stage.service.devices["one"]?.values.token == "bb")
        #expect(stage.calls.count == 4, "An unchanged token costs no call: \(stage.calls)")
    }

    @Test("A token and a time zone from before the first start are sent with the registration")
    func earlyValues() {
        var stage = ClientStage()
        stage.run { $0.change { $0.token = "aa" } }
        stage.run { $0.change { $0.zone = "Asia/Tokyo" } }
        #expect(stage.calls.isEmpty)
        stage.start()
        #expect(stage.service.devices["one"]?.values.token == "aa")
        #expect(stage.service.devices["one"]?.values.zone == "Asia/Tokyo")
    }

    @Test("A token that APNs has reported as gone is asked for again, and sent again even if it is the same")
    func goneToken() {
        var stage = ClientStage()
        stage.start()
        stage.run { $0.change { $0.token = "aa" } }
        stage.faults = [.updated(hasToken: false, isPushOn: true)]
        stage.run { $0.change { $0.zone = "Asia/Tokyo" } }
        #expect(stage.tokensWanted == 1)
        stage.calls = []
        stage.run { $0.change { $0.token = "aa" } }
        #expect(stage.calls.count == 1)
        #expect(stage.service.devices["one"]?.values.token == "aa")
        #expect(stage.tokensWanted == 1)
    }

    @Test("A token does not outlive a change of the build's environment")
    func environments() {
        var stage = ClientStage()
        stage.start()
        stage.run { $0.change { $0.token = "aa" } }
        stage.relaunch()
        var values = ClientStage.values
        values.environment = .development
        stage.run { $0.start(appKey: "key", values: values) }
        #expect(stage.service.devices["one"]?.values.token == nil)
        #expect(stage.service.devices["one"]?.values.environment == .development)
    }

    @Test("Operations go in order, each after the answer to the one before, and callers hear of theirs")
    func operations() {
        var stage = ClientStage()
        stage.run { $0.request(.addTags(["a", "b"]), caller: 1) }
        #expect(stage.calls.isEmpty, "Nothing is sent before the app has started the client.")
        stage.start()
        stage.run { $0.request(.deleteTags(["a"]), caller: 2) }
        stage.run { $0.request(.getTags, caller: 3) }
        #expect(stage.answers.map(\.callers) == [[1], [2], [3]])
        #expect(stage.answers.last?.result == .success(DeviceAnswer(tags: ["b"])))
    }

    @Test("A value set as a whole supersedes waiting ones, and its callers get the last result")
    func supersedes() {
        var stage = ClientStage()
        stage.run { $0.request(.setAlias("a"), caller: 1) }
        stage.run { $0.request(.setAlias("b"), caller: 2) }
        stage.run { $0.request(.addTags(["x"]), caller: 3) }
        stage.run { $0.request(.setTags(["y"]), caller: 4) }
        stage.start()
        #expect(stage.answers.map(\.callers) == [[1, 2], [3, 4]])
        #expect(stage.service.devices["one"]?.alias == "b")
        #expect(stage.service.devices["one"]?.tags == ["y"])
    }

    @Test("A refused operation is dropped, its caller is told, and the next one is sent")
    func refusedOperation() {
        var stage = ClientStage()
        stage.start()
        let error = PosthornError(code: 6005, message: "a space")
        stage.faults = [.refused(error)]
        stage.run { $0.request(.addTags(["a b"]), caller: 1) }
        stage.run { $0.request(.addTags(["c"]), caller: 2) }
        #expect(stage.answers.first?.result == .failure(error))
        #expect(stage.service.devices["one"]?.tags == ["c"])
        #expect(stage.stored.queue.queue.isEmpty)
    }

    @Test("A refused app sends nothing more in this process, and keeps its receipts for a build that is accepted")
    func refusedApp() {
        var stage = ClientStage(saved: SavedState(installation: "one", appKey: "unknown"))
        stage.run { $0.request(.setBadge(3), caller: 1) }
        stage.start()
        stage.run { $0.report([Receipt(messageID: 1, event: .received, time: 0)]) }
        stage.run { $0.request(.setBadge(4), caller: 2) }
        #expect(stage.calls.count == 1)
        #expect(stage.answers.map { code($0.result) } == [1005, 1005])
        #expect(stage.stored.receipts.receipts.count == 1)
        stage.relaunch()
        stage.run { $0.start(appKey: "key", values: ClientStage.values) }
        #expect(stage.service.devices["one"] != nil)
    }

    @Test("An identity that the service has forgotten is replaced, and what waits is sent in its name")
    func forgotten() {
        var stage = ClientStage()
        stage.start()
        stage.service.devices = [:]
        stage.run { $0.request(.setAlias("a"), caller: 1) }
        #expect(stage.service.devices["one"]?.alias == "a")
        #expect(stage.client.saved.registration?.id == "id-2")
        #expect(stage.answers.map { code($0.result) } == [0])
    }

    @Test("A device is unregistered, and stays so until the app starts the client again")
    func unregisters() {
        var stage = ClientStage()
        stage.start()
        stage.run { $0.request(.setAlias("a"), caller: nil) }
        stage.run { $0.leave() }
        #expect(stage.service.devices.isEmpty)
        #expect(stage.ends == 1)
        stage.run { $0.change { $0.token = "aa" } }
        stage.run { $0.retryNow() }
        #expect(stage.service.devices.isEmpty)
        stage.start()
        #expect(stage.service.devices["one"]?.alias == nil)
        #expect(stage.service.devices["one"]?.values.token == "aa")
    }

    @Test("A registration whose answer was lost is ended too: its device is registered again, and then unregistered")
    func endsLostRegistration() {
        var stage = ClientStage()
        stage.diesAt = 5
        stage.start()
        #expect(stage.service.devices.count == 1)
        #expect(stage.stored.state?.registration == nil)
        stage.relaunch()
        stage.faults = [Self.away]
        stage.start()
        stage.run { $0.leave() }
        #expect(stage.service.devices.isEmpty)
        #expect(stage.ends == 1)
    }

    @Test("Custom messages come once, in order, and are acknowledged by the next call")
    func messages() {
        var stage = ClientStage()
        stage.service.messages = (1...7).map { CustomMessage("\($0)", at: $0) }
        stage.start()
        #expect(stage.delivered == ["1", "2", "3", "4", "5", "6", "7"])
        #expect(stage.calls.last == .messages(after: 7))
        stage.run { $0.receive(CustomMessage("7", at: 7)) }
        #expect(stage.delivered.count == 7)
    }

    @Test("Each event of a push is reported once, however many callbacks report it, in another process too")
    func receipts() {
        var stage = ClientStage()
        stage.start()
        stage.run { $0.report([Receipt(messageID: 1, event: .opened, time: 5)]) }
        stage.relaunch()
        stage.start()
        stage.calls = []
        stage.run { $0.report([Receipt(messageID: 1, event: .opened, time: 9)]) }
        #expect(stage.calls.isEmpty)
        stage.run {
            $0.report((1...250).map { Receipt(messageID: $0, event: .received, time: 1) })
        }
        #expect(stage.calls.count == 3, "At most a hundred in a call.")
        #expect(stage.service.devices["one"]?.receipts.count == 251)
    }

    @Test(
        "Failures are repeated with growing waits, which begin anew after a success; the order of the service is obeyed"
    )
    func backsOff() {
        var stage = ClientStage()
        stage.faults = Array(repeating: Self.away, count: 6)
        stage.start()
        #expect(stage.waits.count == 6)
        for (place, wait) in stage.waits.enumerated() {
            let most = Double(1 << place)
            #expect(wait >= most / 2 && wait <= most)
        }
        stage.waits = []
        stage.faults = [
            .failed(PosthornError(code: 6011, message: "too often"), retryAfter: 30), Self.away, nil, Self.away,
        ]
        stage.run { $0.request(.setBadge(1), caller: nil) }
        #expect(stage.waits[0] >= 30 && stage.waits[0] <= 31)
        stage.run { $0.request(.setBadge(2), caller: nil) }
        #expect(stage.waits.last.map { $0 <= 1 } == true)
        #expect(stage.service.devices["one"]?.badge == 2)
    }

    @Test("Another app key is another app")
    func appKeys() {
        var stage = ClientStage()
        stage.start()
        stage.run { $0.request(.setAlias("a"), caller: nil) }
        stage.relaunch()
        stage.run { $0.start(appKey: "other", values: ClientStage.values) }
        #expect(stage.calls.last { if case .register = $0 { true } else { false } } != nil)
        #expect(stage.stored.state?.appKey == "other")
        #expect(stage.stored.state?.installation == "one")
    }

    @Test("A queue for a service that is never reached has a limit: the oldest callers are told")
    func limits() {
        var stage = ClientStage()
        for number in 0...RequestQueue.most {
            stage.run { $0.request(.addTags(["\(number)"]), caller: number) }
        }
        #expect(stage.answers.map(\.callers) == [[0]])
        #expect(stage.stored.queue.queue.count == RequestQueue.most)
    }

    @Test("A question is not asked again by the next process")
    func questions() {
        var stage = ClientStage()
        stage.run { $0.request(.getTags, caller: 1) }
        stage.run { $0.request(.setBadge(1), caller: 2) }
        stage.relaunch()
        stage.start()
        let operations = stage.calls.filter { if case .operation = $0 { true } else { false } }
        #expect(operations == [.operation(number: 2, .setBadge(1))])
    }

    // MARK: Keeping

    private static let tooOften = CallOutcome.failed(PosthornError(code: 6011, message: "too often"), retryAfter: nil)

    @Test("A call that is kept while its caller waits is gone after that, and is never stored")
    func whileAwaited() {
        var stage = ClientStage()
        stage.start()
        stage.faults = Array(repeating: Self.away, count: 3)
        stage.answersRetries = false
        stage.run { $0.request(.setAlias("a"), keeping: .whileAwaited, caller: 1) }
        stage.run { $0.request(.setBadge(1), keeping: .untilAnswered, caller: 2) }
        #expect(stage.stored.queue.queue.map(\.operation) == [.setBadge(1)])
        #expect(stage.timed == [1, 2])
        stage.run { $0.rang(.patience(1)) }
        #expect(stage.answers.map(\.callers) == [[1]])
        #expect(stage.answers.map { code($0.result) } == [6002])
        stage.faults = []
        stage.run { $0.retryNow() }
        #expect(stage.service.devices["one"]?.alias == nil)
        #expect(stage.service.devices["one"]?.badge == 1)
    }

    @Test("A call from before the first registration waits for it without a limit, in the next process too")
    func beforeRegistration() {
        var stage = ClientStage()
        stage.run { $0.request(.setAlias("a"), keeping: .whileAwaited, caller: 1) }
        #expect(stage.timed.isEmpty)
        stage.relaunch()
        stage.run { $0.request(.setTags(["x"]), keeping: .whileAwaited, caller: 2) }
        stage.faults = [nil, nil, Self.away]
        stage.answersRetries = false
        stage.start()
        #expect(stage.service.devices["one"]?.alias == "a")
        #expect(stage.timed == [2], "Its time begins when it is sent.")
        stage.run { $0.rang(.patience(2)) }
        stage.run { $0.retryNow() }
        #expect(stage.service.devices["one"]?.tags == ["x"], "It is kept.")
    }

    @Test(
        "Too many operations: a caller who may repeat is told, kept ones go on after a pause, all else goes on at once"
    )
    func pauses() {
        var stage = ClientStage()
        stage.start()
        stage.faults = [Self.tooOften]
        stage.run { $0.request(.setAlias("a"), keeping: .whileAwaited, caller: 1) }
        #expect(stage.answers.map { code($0.result) } == [6011])
        stage.answersRetries = false
        stage.faults = [Self.tooOften]
        stage.run { $0.request(.setAlias("b"), caller: 2) }
        stage.run { $0.flush(9, within: 1000) }
        stage.run { $0.report([Receipt(messageID: 1, event: .received, time: 1)]) }
        stage.run { $0.change { $0.token = "aa" } }
        #expect(stage.service.devices["one"]?.receipts == ["1 received"])
        #expect(stage.service.devices["one"]?.values.token == "aa")
        #expect(stage.service.devices["one"]?.alias == nil)
        #expect(stage.settled == [false])
        #expect((10...11).contains(stage.waits.last ?? 0))
        stage.run { $0.rang(.pause) }
        #expect(stage.service.devices["one"]?.alias == "b")
        #expect(stage.answers.last?.callers == [2])
    }

    @Test("A set that supersedes a kept one is kept; a later pause gives a caller's time back")
    func supersedesKept() {
        var queue = RequestQueue()
        _ = queue.add(.setBadge(1), caller: nil, underWay: nil)
        _ = queue.add(.setBadge(2), keeping: .whileAwaited, caller: 1, underWay: nil)
        #expect(!queue.isAwaited(2))
        let stays = queue.giveUp(1)
        #expect(stays)
        _ = queue.add(.setAlias("a"), keeping: .untilAnswered, caller: 2, isPatient: true, underWay: nil)
        let turns = [queue.begin(3), queue.begin(3), queue.pause(3), queue.begin(3)]
        #expect(turns == [[2], [], [2], [2]])
    }

    // MARK: Values with callers

    @Test("The caller of a value is answered once the service has it, or with its refusal, or after its time")
    func valueCallers() {
        var stage = ClientStage()
        stage.run { $0.change(caller: 1) { $0.activityTokens["a"] = "01" } }
        stage.start()
        #expect(stage.service.devices["one"]?.values.activityTokens == ["a": "01"])
        #expect(stage.answers.map(\.callers) == [[1]])
        stage.run { $0.change(caller: 2) { $0.activityTokens["a"] = "01" } }
        #expect(stage.answers.last?.callers == [2], "The service has it already.")
        let error = PosthornError(code: 6017, message: "no token")
        stage.faults = [.refused(error)]
        stage.run { $0.change(caller: 3) { $0.activityTokens["a"] = "zz" } }
        #expect(stage.answers.last?.result == .failure(error))
        stage.answersRetries = false
        stage.faults = [Self.away]
        stage.run { $0.change(caller: 4) { $0.activityTokens["a"] = "02" } }
        stage.run { $0.rang(.patience(4)) }
        #expect(stage.answers.last.map { code($0.result) } == 6002)
        stage.run { $0.retryNow() }
        #expect(stage.service.devices["one"]?.values.activityTokens == ["a": "02"], "It is sent later.")
        #expect(stage.answers.count == 4)
    }

    // MARK: The network

    @Test(
        "The app hears of the connection as it is: once when it begins, once when it ends, and once of a series of failures"
    )
    func network() {
        let error = PosthornError(code: 6002, message: "away")
        var stage = ClientStage()
        stage.faults = [Self.away, Self.away]
        stage.start()
        #expect(
            stage.network == [.connecting, .unreachable(error), .connecting, .connecting, .connected, .loggedIn]
        )
        stage.network = []
        stage.run { $0.request(.setBadge(1), caller: nil) }
        #expect(stage.network == [])
        stage.faults = [Self.away, Self.away]
        stage.run { $0.request(.setBadge(2), caller: nil) }
        #expect(
            stage.network == [.closed, .connecting, .unreachable(error), .connecting, .connected, .loggedIn]
        )
        stage.network = []
        stage.faults = [Self.tooOften]
        stage.run { $0.request(.setBadge(3), caller: nil) }
        #expect(stage.network == [], "A service that answers is there.")
        stage.service.devices = [:]
        stage.run { $0.request(.setBadge(4), caller: nil) }
        #expect(stage.network == [.loggedIn], "As another device.")
    }

    private func code(_ result: Result<DeviceAnswer, PosthornError>) -> Int {
        if case .failure(let error) = result { error.code } else { 0 }
    }
}
