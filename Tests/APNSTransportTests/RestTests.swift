import NIOCore
import NIOEmbedded
import Testing

@testable import APNSTransport

@Suite("Memory of a busy time")
struct RestTests {
    private func request(_ bench: Bench, _ stream: UInt32) throws {
        try bench.feed(.headers(stream, WireFields.request(), end: false), .data(stream, [1, 2, 3]))
        let taken = bench.machine.takeMessage(of: stream)
        bench.answer(stream, HTTP2Answer(status: 200))
        bench.machine.giveBack(try #require(taken).message)
    }

    @Test("It is kept while requests come, and given back after a second without one")
    func quiet() throws {
        let loop = EmbeddedEventLoop()
        let bench = try Bench(.server)
        var rest = HTTP2MemoryRelease()
        var fired = 0
        func watch() { rest.watch(bench.machine, on: loop) { fired += 1 } }
        watch()
        loop.advanceTime(by: .seconds(2))
        #expect(fired == 0, "a timer runs for a connection that has nothing to give back")
        try request(bench, 1)
        watch()
        loop.advanceTime(by: .milliseconds(999))
        #expect(fired == 0)
        try request(bench, 3)
        watch()
        loop.advanceTime(by: .milliseconds(1))
        #expect(fired == 1)
        let wasBusy = !rest.isQuiet(bench.machine)
        #expect(wasBusy)
        watch()
        loop.advanceTime(by: .seconds(1))
        #expect(fired == 2)
        let isQuiet = rest.isQuiet(bench.machine)
        #expect(isQuiet)
        #expect(bench.machine.pool.messages.count == 1)
        bench.machine.shrink()
        #expect(bench.machine.pool.isEmpty)
        let hasSpareMemory = bench.machine.hasSpareMemory
        #expect(!hasSpareMemory)
    }
}
