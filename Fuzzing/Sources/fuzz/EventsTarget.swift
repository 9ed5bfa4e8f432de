import DeviceLink
import Foundation
import PushModel

@testable import APNSGateway

/// Frames of the link between a gateway and the service that follows its events, one a line: each end gets all of them.
func fuzzEvents(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    var follower = Follower()
    var feed = EventFeed(log: "log", capacity: 8)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).prefix(200) {
        let line = String(line)
        checkEventFrame(line)
        follower.received(line)
        serve(line, from: &feed)
    }
}

private func checkEventFrame(_ text: String) {
    guard let frame = EventFrame(text: text) else { return }
    guard let again = EventFrame(text: frame.text) else {
        return check(false, "what is written is no frame: \(frame.text)")
    }
    // Dates lose what is finer than a millisecond, once.
    check(again.text == frame.text, "written twice it differs: \(frame.text), \(again.text)")
    if case .event = frame { return }
    check(again == frame, "\(frame) is read again as \(again)")
}

/// What a follower computes of the frames of a gateway that anybody may run. Numbers that overflow end the process.
private struct Follower {
    private var position: Int64 = 0
    private var missed: Int64 = 0

    mutating func received(_ text: String) {
        switch EventFrame(text: text) {
        case .following(_, let after):
            check(after >= 0, "a log is followed from \(after)")
            position = after
        case .gap(let first, let last):
            let count = last - first + 1
            check(first > 0 && count > 0, "a gap from \(first) to \(last)")
            missed = missed.addingReportingOverflow(count).partialValue
            position = last
        case .event(let number, _, let event):
            check(number > 0, "an event has the number \(number)")
            // As it is stored, and as it is posted to a callback.
            let milliseconds = Int64((event.date.timeIntervalSince1970 * 1000).rounded())
            _ = Int64((Date(timeIntervalSince1970: Double(milliseconds) / 1000).timeIntervalSince1970 * 1000).rounded())
            position = number
        case .unknownEvent(let number):
            check(number > 0, "an event has the number \(number)")
            position = number
        case .follow, nil: break
        }
    }
}

/// The gateway's end: it answers a follower with the pages of its log, which grows by an event for each frame.
private func serve(_ text: String, from feed: inout EventFeed) {
    _ = feed.append(
        JourneyEvent(date: Date(timeIntervalSince1970: 0), station: .gateway, kind: .stored),
        APNSID(high: 1, low: 2)
    )
    guard let answer = feed.received(text) else { return }
    check((0...feed.last).contains(answer.after), "a follower goes on after \(answer.after), of \(feed.last)")
    check(EventFrame(text: answer.frame) != nil, "the answer is no frame: \(answer.frame)")
    var known = answer.after
    while true {
        let page = feed.nextPage(after: known, for: 1)
        for frame in page.frames { check(EventFrame(text: frame) != nil, "a page has what is no frame: \(frame)") }
        guard let last = page.last else { break }
        check(last > known, "a page ends at \(last), after \(known)")
        known = last
    }
    check(known == feed.last, "the pages end at \(known), of \(feed.last)")
    feed.closed(1)
}
