import PushModel
import SystemPort
import SystemPortSocket
import Testing

@Suite("The order of frames")
struct FrameOrderTests {
    private func problem(_ frames: [AppFrame], events: Int = 0) -> String? {
        var order = AppFrameOrder()
        for _ in 0..<events { _ = order.nextEvent() }
        do throws(PortProblem) {
            for frame in frames { try order.check(frame) }
            return nil
        } catch {
            return error.description
        }
    }

    @Test("An app says hello first, once, and in the device's version")
    func hello() {
        #expect(problem([.hello(version: 1), .askTime(id: 1)]) == nil)
        #expect(problem([.askTime(id: 1)]) == "The app's first frame is askTime(id: 1); expected 'hello'.")
        #expect(problem([.hello(version: 1), .hello(version: 1)]) == "The app says hello a second time.")
        #expect(
            problem([.hello(version: 2)])
                == "The app speaks version 2 of the port; expected 1: build both from one Posthorn."
        )
    }

    @Test("An app answers events that it got, and uses links that it opened")
    func numbers() {
        let hello = AppFrame.hello(version: 1)
        #expect(problem([hello, .eventReply(event: 1, .returned)], events: 1) == nil)
        for event in [0, 2] {
            let found = problem([hello, .eventReply(event: event, .returned)], events: 1)
            #expect(found == "The app answers event \(event); the last that was sent is 1.")
        }
        #expect(problem([hello, .eventReply(event: 1, .returned)]) != nil)
        #expect(problem([hello, .openLink(link: 1, url: ""), .openLink(link: 2, url: ""), .pingLink(link: 1)]) == nil)
        #expect(problem([hello, .openLink(link: 2, url: "")]) == "The app opens link 2; expected 1.")
        #expect(problem([hello, .closeLink(link: 1)]) == "The app uses link 1; the last that it opened is 0.")
    }

    @Test("A device starts the app first, once, and counts its events")
    func device() throws {
        let start = DeviceFrame.start(version: 1, Samples.facts, seed: 1)
        let event = SystemEvent(.didBecomeActive, state: .active)
        var order = DeviceFrameOrder()
        #expect(throws: PortProblem.self) { try order.check(.event(id: 1, event)) }
        try order.check(start)
        #expect(throws: PortProblem.self) { try order.check(start) }
        try order.check(.event(id: 1, event))
        #expect(throws: PortProblem("The device sends event 3; expected 2.")) { try order.check(.event(id: 3, event)) }
        #expect(throws: PortProblem.self) {
            var order = DeviceFrameOrder()
            try order.check(.start(version: 0, Samples.facts, seed: 1))
        }
    }
}
