import Testing

@testable import PosthornClient

@Suite("A process that is killed between two steps")
struct KilledProcessTests {
    /// The life of an app. After a death, the next process does again what an app does at each launch; what the user did before, it
    /// does not.
    private static func live(_ stage: inout ClientStage, isFirst: Bool) {
        if isFirst {
            stage.run { $0.request(.addTags(["a", "b"]), caller: 1) }
            stage.run { $0.request(.setAlias("tom"), caller: 2) }
        }
        stage.start()
        stage.run { $0.change { $0.token = "aa" } }
        stage.run { $0.change { $0.zone = "Asia/Tokyo" } }
        if isFirst {
            stage.run { $0.request(.deleteTags(["b"]), caller: 3) }
            stage.run { $0.request(.setBadge(7), caller: nil) }
            stage.run { $0.request(.setPush(false), caller: nil) }
        }
        stage.run { $0.report([Receipt(messageID: 1, event: .received, time: 1)]) }
        stage.run { $0.fetchMessages() }
    }

    /// - Returns: the number of steps of a life without a death.
    private static func stepsOfALife(_ channel: ClientStage.Channel) -> Int {
        var stage = stage(channel)
        live(&stage, isFirst: true)
        return stage.steps
    }

    private static func stage(_ channel: ClientStage.Channel) -> ClientStage {
        var stage = ClientStage(over: channel)
        stage.service.messages = [CustomMessage("one", at: 1), CustomMessage("two", at: 2)]
        return stage
    }

    @Test(
        "Ends in the same state, wherever it died, for all that it had stored",
        arguments: ClientStage.Channel.allCases
    )
    func sameState(_ channel: ClientStage.Channel) {
        let steps = Self.stepsOfALife(channel)
        #expect(steps > 40)
        for step in 1...steps {
            var stage = Self.stage(channel)
            stage.diesAt = step
            Self.live(&stage, isFirst: true)
            #expect(stage.isDead)
            let asked = stage.stored.queue.queue.map(\.operation)
            let done = stage.service.devices["one"]
            stage.relaunch()
            Self.live(&stage, isFirst: false)
            let device = stage.service.devices["one"]
            #expect(stage.service.devices.count == 1, "step \(step)")
            #expect(device?.values.token == "aa", "step \(step)")
            #expect(device?.values.zone == "Asia/Tokyo", "step \(step)")
            #expect(device?.receipts == ["1 received"], "step \(step)")
            #expect(stage.stored.queue.queue.isEmpty, "step \(step)")
            // Each operation that was stored has been carried out, and none is undone.
            if asked.contains(.addTags(["a", "b"])) || done?.tags.contains("a") == true {
                #expect(device?.tags.contains("a") == true, "step \(step)")
            }
            if asked.contains(.setAlias("tom")) { #expect(device?.alias == "tom", "step \(step)") }
            if asked.contains(.deleteTags(["b"])) { #expect(device?.tags.contains("b") == false, "step \(step)") }
            if asked.contains(.setBadge(7)) { #expect(device?.badge == 7, "step \(step)") }
            // At most once: a message whose handler ends the process must not end the next one too.
            #expect(Set(stage.delivered).count == stage.delivered.count, "step \(step): \(stage.delivered)")
        }
    }

    @Test(
        "Does again what the user asked for, and ends in the same state as a life without a death",
        arguments: ClientStage.Channel.allCases
    )
    func sameOutcome(_ channel: ClientStage.Channel) {
        var whole = Self.stage(channel)
        Self.live(&whole, isFirst: true)
        for step in 1...Self.stepsOfALife(channel) {
            var stage = Self.stage(channel)
            stage.diesAt = step
            Self.live(&stage, isFirst: true)
            stage.relaunch()
            Self.live(&stage, isFirst: true)
            #expect(stage.service.outcome == whole.service.outcome, "step \(step)")
        }
    }

    @Test("Is unregistered in the end, wherever it died, and registered again if the app starts the client")
    func unregistering() {
        func life(_ stage: inout ClientStage) {
            stage.start()
            stage.run { $0.leave() }
        }
        var whole = ClientStage()
        life(&whole)
        #expect(whole.service.devices.isEmpty)
        for step in 1...whole.steps {
            var stage = ClientStage()
            stage.diesAt = step
            life(&stage)
            stage.relaunch()
            let id = stage.stored.state?.registration?.id
            let wasLeaving = stage.stored.state?.isLeaving == true
            stage.start()
            #expect(stage.service.devices.count == 1, "step \(step)")
            if wasLeaving { #expect(stage.service.devices["one"]?.id != id, "step \(step)") }
            stage.run { $0.leave() }
            #expect(stage.service.devices.isEmpty, "step \(step)")
            #expect(stage.stored.state?.registration == nil)
        }
    }
}
