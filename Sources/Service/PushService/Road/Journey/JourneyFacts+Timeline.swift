package import Foundation
package import PushModel

extension JourneyFacts {
    /// The events of a device: the service's own, derived from the chunk, then the gateway's and the device's.
    func timeline(of ordinal: DeviceOrdinal) -> [JourneyEvent] {
        guard let chunk, let place = chunk.ordinals.place(of: ordinal) else { return [] }
        var timeline = chunk.kind.opening.map { JourneyEvent.service($0, at: message.acceptedAt) }
        let isSent = chunk.sent.contains(place)
        // The chunk that holds the device now, unless it is finished with it.
        let holder = chunk.isOpen(place) && place >= chunk.cursor ? chunk : chunk.deferred.contains(place) ? retry : nil
        if let holder, !isSent, !chunk.settled.contains(place) {
            if let pause, !holder.isDone {
                timeline.append(.service(.paused(pause.reason), at: holder.updatedAt))
            } else if let problem = holder.problem, !problem.isQuietHours {
                timeline.append(.service(problem, at: holder.updatedAt))
            }
        }
        timeline += events.filter { $0.station == .service }
        if isSent { timeline.append(.service(.sent, at: chunk.updatedAt)) }
        // Each station has its own clock, so dates order events only within a station. Stations follow in the order of the delivery
        // path.
        for station in [JourneyEvent.Station.gateway, .device] { timeline += events.filter { $0.station == station } }
        return timeline + receiptEvents(of: receipts, at: receiptsAt, besides: events)
    }

    /// The events of the custom message or the in-app message, which may be waiting still.
    func customTimeline(at now: Date) -> [JourneyEvent] {
        guard let custom else { return [] }
        var timeline = custom.chunk.kind.opening.map { JourneyEvent.service($0, at: message.acceptedAt) }
        if custom.receipts.contains(.received) {
            timeline += receiptEvents(of: custom.receipts, at: custom.receiptsAt, besides: [], inApp: custom.isInApp)
        } else if custom.chunk.settled.contains(0), let end = events.last(where: { $0.station == .service }) {
            // One message of a batch was withdrawn.
            timeline.append(end)
        } else if let problem = custom.chunk.problem {
            timeline.append(.service(problem, at: custom.chunk.updatedAt))
        } else if now >= message.expiresAt {
            timeline.append(.service(.expired, at: message.expiresAt))
        } else if let position = custom.position, position <= custom.cursor {
            timeline.append(.service(.coalesced, at: custom.chunk.updatedAt))
        } else {
            timeline.append(.service(.stored, at: message.acceptedAt))
        }
        return timeline
    }

    /// Returns events for receipts, which have no rows of their own, unless `events` already has the same with more detail.
    private func receiptEvents(
        of receipts: ReceiptBits,
        at date: Date?,
        besides events: [JourneyEvent],
        inApp: Bool = false
    ) -> [JourneyEvent] {
        let known = events.reduce(into: ReceiptBits()) { $0.formUnion(ReceiptBits($1.kind)) }
        var missing: [JourneyEvent] = []
        let date = date ?? message.acceptedAt
        if message.takesBack != nil {
            return receipts.contains(.clicked)
                ? [.device(.takenBack(wasShown: receipts.contains(.displayed)), at: date)] : []
        }
        if receipts.contains(.received), !known.contains(.received) { missing.append(.device(.delivered, at: date)) }
        if receipts.contains(.displayed), !known.contains(.displayed) {
            missing.append(.device(.presented(inApp ? .inApp : .banner), at: date))
        }
        if receipts.contains(.clicked), !known.contains(.clicked) { missing.append(.device(.opened, at: date)) }
        return missing
    }
}

extension JourneyEvent.Kind {
    /// Whether the event is quiet hours, which were already reported when they began to hold the push back.
    fileprivate var isQuietHours: Bool { if case .quietHours = self { true } else { false } }
}

extension JourneyEvent {
    /// An event that the service reports.
    package static func service(_ kind: Kind, at date: Date) -> JourneyEvent {
        JourneyEvent(date: date, station: .service, kind: kind)
    }

    /// An event that the receipt of an app reports.
    static func device(_ kind: Kind, at date: Date) -> JourneyEvent {
        JourneyEvent(date: date, station: .device, kind: kind)
    }
}
