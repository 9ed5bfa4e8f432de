import Foundation
import PushModel
import SystemPort

extension Samples {
    private static let liveContent = LiveActivityContent(state: #"{"a":"“b”"}"#, staleDate: date, relevanceScore: 0.1)
    private static let live: LiveActivityRecord = {
        var record = LiveActivityRecord(id: "1", type: "T", attributes: "{}", content: liveContent)
        record.state = .stale
        record.style = .transient
        record.pushToken = DeviceToken(bytes: 0..<32)
        record.channel = "dHN0LXNyY2gtY2hubA=="
        record.version = 7
        return record
    }()
    private static let liveAlert = LiveActivityAlert(title: "“t”", body: "", sound: SoundRecord(name: "bell.caf"))

    static let activityCalls: [SystemCall] = [
        LiveActivityCall.declare(type: "T"), .requestStartToken(type: "T"), .list(type: ""),
        .request(LiveActivityRequest(activity: live, wantsToken: true, startDate: date, alert: liveAlert)),
        .update(id: "1", liveContent, alert: nil, timestamp: date), .end(id: "1", nil, .automatic, timestamp: nil),
        .end(id: "1", liveContent, .after(date), timestamp: date), .end(id: "1", nil, .immediate, timestamp: nil),
    ].map { .liveActivity($0) }

    static let activityEvents: [SystemEvent.Kind] = [
        LiveActivityEvent.changed(live), .startToken(type: "T"), .settings,
        .examine(LiveActivityValues(type: "T", attributes: nil, state: "{}")),
    ].map { .liveActivity($0) }

    static let activityReplies: [SystemReply] = [
        .liveActivities([live]), .liveActivities([]), .liveActivityRefused(.targetMaximumExceeded),
    ]
    static let activityEventReplies: [EventReply] = [
        .activityExamined(problem: nil), .activityExamined(problem: "'a' is missing"),
    ]
}
