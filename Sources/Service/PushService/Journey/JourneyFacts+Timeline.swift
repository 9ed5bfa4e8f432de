import Foundation
import PushModel

extension JourneyFacts {
    /// The service's own events, drawn from the chunk, then the gateway's and the device's, in the order of the road.
    func timeline(of ordinal: DeviceOrdinal) -> [JourneyEvent] {
        guard let chunk, let place = chunk.ordinals.place(of: ordinal) else { return [] }
        var timeline = chunk.kind.opening.map { event($0, at: message.acceptedAt) }
        let isSent = chunk.sent.contains(place)
        // The chunk that has the device now, unless it is over for it.
        let holder = chunk.isOpen(place) && place >= chunk.cursor ? chunk : chunk.deferred.contains(place) ? retry : nil
        if let holder, !isSent, !chunk.settled.contains(place) {
            if let pause, !holder.isDone {
                timeline.append(event(.paused(pause.reason), at: holder.updatedAt))
            } else if let problem = holder.problem, !problem.isQuietHours {
                timeline.append(event(problem, at: holder.updatedAt))
            }
        }
        timeline += events.filter { $0.station == .service }
        if isSent { timeline.append(event(.sent, at: chunk.updatedAt)) }
        // Each station has a clock of its own, so a date decides only within a station; between them the road does.
        for station in [JourneyEvent.Station.gateway, .device] { timeline += events.filter { $0.station == station } }
        return timeline + told(by: receipts, at: receiptsAt, besides: events)
    }

    /// The same of the custom message, or of the in-app message.
    ///
    /// * `now`: by which it is decided whether it still waits.
    func customTimeline(at now: Date) -> [JourneyEvent] {
        guard let custom else { return [] }
        var timeline = custom.chunk.kind.opening.map { event($0, at: message.acceptedAt) }
        if custom.receipts.contains(.received) {
            timeline += told(by: custom.receipts, at: custom.receiptsAt, besides: [], inApp: custom.isInApp)
        } else if custom.chunk.settled.contains(0), let end = events.last(where: { $0.station == .service }) {
            // Of a batch, one alone was withdrawn.
            timeline.append(end)
        } else if let problem = custom.chunk.problem {
            timeline.append(event(problem, at: custom.chunk.updatedAt))
        } else if now >= message.expiresAt {
            timeline.append(event(.expired, at: message.expiresAt))
        } else if let position = custom.position, position <= custom.cursor {
            timeline.append(event(.coalesced, at: custom.chunk.updatedAt))
        } else {
            timeline.append(event(.stored, at: message.acceptedAt))
        }
        return timeline
    }

    private func event(
        _ kind: JourneyEvent.Kind,
        at date: Date,
        by station: JourneyEvent.Station = .service
    ) -> JourneyEvent {
        JourneyEvent(date: date, station: station, kind: kind)
    }

    /// Receipts have no rows, so they are told here, unless somebody else has told the same in more words.
    private func told(
        by receipts: ReportBits,
        at date: Date?,
        besides events: [JourneyEvent],
        inApp: Bool = false
    ) -> [JourneyEvent] {
        let known = events.reduce(into: ReportBits()) { $0.formUnion(ReportBits($1.kind)) }
        var told: [JourneyEvent] = []
        let date = date ?? message.acceptedAt
        if receipts.contains(.received), !known.contains(.received) {
            told.append(event(.delivered, at: date, by: .device))
        }
        if inApp, receipts.contains(.displayed) { told.append(event(.presented(.inApp), at: date, by: .device)) }
        if receipts.contains(.clicked), !known.contains(.clicked) { told.append(event(.opened, at: date, by: .device)) }
        return told
    }
}

extension JourneyEvent.Kind {
    /// Told as an event when they began to hold the push back.
    fileprivate var isQuietHours: Bool { if case .quietHours = self { true } else { false } }
}
