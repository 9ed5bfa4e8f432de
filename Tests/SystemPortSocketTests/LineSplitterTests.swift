import SystemPortSocket
import Testing

@Suite("The lines that an app prints")
struct LineSplitterTests {
    @Test("Comes in lines, however it is cut")
    func lines() {
        var splitter = LineSplitter()
        #expect(splitter.append("one\ntw".utf8) == ["one"])
        #expect(splitter.append("o\n\nthr".utf8) == ["two", ""])
        #expect(splitter.last() == "thr")
        #expect(splitter.last() == nil)
    }

    @Test("Does not wait for an end that never comes")
    func endless() {
        var splitter = LineSplitter()
        #expect(splitter.append(Array(repeating: UInt8(ascii: "x"), count: 70_000)).map(\.count) == [65_536])
    }
}
