import Foundation
import PushModel
import Testing

@Suite("Journey events as JSON")
struct JourneyEventJSONTests {
    static let kinds: [JourneyEvent.Kind] =
        [
            .accepted, .targeted, .sent, .refused(.badDeviceToken), .refused(APNSReason(rawValue: "Unheard")),
            .retried("connection"), .withdrawn, .stored, .coalesced, .expired, .delivered,
            .callback(name: "userNotificationCenter(_:didReceive:)", state: .inactive), .opened,
            .acted("REPLY \"now\""),
            .replied(0), .replied(140), .crashed("killed by signal 9 (SIGKILL)"), .dismissed, .scheduled,
            .replaced(by: "other"), .evicted(limit: 64), .fired,
            .quietHours(until: Date(timeIntervalSince1970: 1_767_308_400), isHeld: true),
            .quietHours(until: Date(timeIntervalSince1970: 1_767_308_400.5), isHeld: false),
        ] + PauseReason.allCases.map { .paused($0) }
        + [AppState.active, .inactive, .background].map { .woken($0) }
        + [FetchOutcome.newData, .noData, .failed, .overran].map { .finished($0) }
        + [ExtensionOutcome.ran, .timedOut].map { .serviceExtension($0) }
        + SuppressionReason.allCases.map { .suppressed($0) }
        + [Presentation.banner, .lockScreen, .list, .sound, .badge].map { .presented($0) }

    @Test("Every kind reads back as it was written", arguments: kinds)
    func roundTrip(_ kind: JourneyEvent.Kind) throws {
        for station in [JourneyEvent.Station.service, .gateway, .device] {
            let event = JourneyEvent(date: Date(timeIntervalSince1970: 1_767_254_400.25), station: station, kind: kind)
            #expect(JourneyEvent(json: try JSONValue(parsing: event.json.text)) == event)
        }
    }

    @Test("Is described by its name and details, without the names of modules")
    func description() {
        #expect("\(JourneyEvent.Kind.suppressed(.foreground))" == "suppressed reason=foreground")
        #expect("\(JourneyEvent.Kind.callback(name: "f()", state: .active))" == "callback name=f() state=active")
        for kind in Self.kinds { #expect(!"\(kind)".contains("PushModel."), "\(kind)") }
    }

    @Test("Names are distinct")
    func namesAreDistinct() {
        #expect(Set(Self.kinds.map(\.name)).count == 26)
    }

    @Test("Is one flat object with date, station and details")
    func form() throws {
        let date = Date(timeIntervalSince1970: 1_767_254_400)
        let event = JourneyEvent(date: date, station: .device, kind: .callback(name: "f()", state: .active))
        #expect(
            event.json.text
                == "{\"at\":\"2026-01-01T08:00:00.000Z\",\"by\":\"device\",\"event\":\"callback\",\"name\":\"f()\",\"state\":\"active\"}"
        )
    }

    @Test(
        "An unknown event parses as nil",
        arguments: [
            "{}", "[]", "1", "{\"at\":\"2026-01-01T08:00:00.000Z\",\"by\":\"device\",\"event\":\"flew\"}",
            "{\"at\":\"yesterday\",\"by\":\"device\",\"event\":\"opened\"}",
            "{\"at\":\"2026-01-01T08:00:00.000Z\",\"by\":\"moon\",\"event\":\"opened\"}",
            "{\"at\":\"2026-01-01T08:00:00.000Z\",\"by\":\"device\",\"event\":\"woken\"}",
            "{\"at\":\"2026-01-01T08:00:00.000Z\",\"by\":\"device\",\"event\":\"woken\",\"state\":\"asleep\"}",
            "{\"at\":\"2026-01-01T08:00:00.000Z\",\"by\":\"device\",\"event\":\"replied\",\"characters\":\"3\"}",
            "{\"by\":\"device\",\"event\":\"opened\"}",
        ]
    )
    func unknown(_ text: String) throws {
        #expect(JourneyEvent(json: try JSONValue(parsing: text)) == nil)
    }
}

@Suite("Verdict")
struct VerdictTests {
    private func verdict(_ kinds: [JourneyEvent.Kind], context: Verdict.Context = Verdict.Context()) -> Verdict {
        let events = kinds.enumerated().map { index, kind in
            JourneyEvent(date: Date(timeIntervalSince1970: Double(index)), station: .service, kind: kind)
        }
        return Verdict(events, context: context)
    }

    @Test(
        "Is what the event that got furthest says",
        arguments: [
            ([], .unknown, "nothing is known"),
            ([.accepted, .targeted], .waiting, "accepted and on disk"),
            ([.accepted, .targeted, .retried("ServiceUnavailable")], .waiting, "not sent yet (ServiceUnavailable)"),
            ([.accepted, .targeted, .paused(.noCredential)], .paused, "add a p8 key"),
            ([.accepted, .targeted, .paused(.credentialRefused)], .paused, "refuses the app's credential"),
            ([.accepted, .targeted, .paused(.certificateExpired)], .paused, "certificate has expired"),
            (
                [.accepted, .targeted, .paused(.noCredential), .sent], .sent,
                "accepted by APNs; the app has not reported"
            ),
            (
                [.accepted, .targeted, .refused(.badDeviceToken)], .refused,
                "refused by APNs: BadDeviceToken: the device token is malformed"
            ),
            (
                [.accepted, .targeted, .refused(.unregistered)], .refused,
                "no longer active for the topic: the app is gone"
            ),
            ([.accepted, .targeted, .paused(.noCredential), .withdrawn], .withdrawn, "not sent: it was withdrawn"),
            ([.accepted, .targeted, .withdrawn, .refused(.badDeviceToken)], .refused, "BadDeviceToken"),
            ([.accepted, .targeted, .retried("x"), .sent, .stored], .stored, "waits at the gateway"),
            ([.sent, .stored, .coalesced], .coalesced, "a newer push took its place"),
            ([.sent, .stored, .expired], .expired, "it expired before it could be delivered"),
            ([.sent, .stored, .delivered], .delivered, "delivered to the device"),
            (
                [.accepted, .targeted, .suppressed(.unreadable)], .suppressed,
                "not sent: the stored push cannot be read"
            ),
            ([.sent, .stored, .delivered, .suppressed(.unreadable)], .delivered, "delivered to the device"),
            ([.sent, .delivered, .suppressed(.permissionDenied)], .suppressed, "switched the app's notifications off"),
            (
                [.sent, .delivered, .suppressed(.foregroundLegacy)], .suppressed,
                "shows no notification before version 10"
            ),
            ([.sent, .delivered, .woken(.background), .finished(.overran)], .handled, "30 seconds"),
            (
                [
                    .delivered, .callback(name: "application(_:didReceiveRemoteNotification:)", state: .active),
                    .finished(.noData), .suppressed(.foreground),
                ], .handled, "the app was in front and found nothing new; not shown: the app was in front"
            ),
            (
                [
                    .callback(name: "application(_:didReceiveRemoteNotification:)", state: .inactive),
                    .finished(.newData),
                ], .handled, "the app was in front and fetched new data"
            ),
            (
                [
                    .callback(name: "application(_:didReceiveRemoteNotification:)", state: .background),
                    .finished(.failed),
                ], .handled, "the app ran in the background and its fetch failed"
            ),
            ([.sent, .delivered, .finished(.newData), .presented(.banner)], .shown, "shown (banner); not opened yet"),
            ([.sent, .delivered, .presented(.lockScreen), .dismissed], .dismissed, "dismissed by the user"),
            ([.sent, .delivered, .presented(.banner), .opened], .opened, "opened by the user"),
            ([.delivered, .presented(.banner), .acted("LIKE")], .opened, "the action 'LIKE'"),
            ([.delivered, .presented(.banner), .replied(12)], .opened, "replied with 12 characters"),
            (
                [.sent, .delivered, .woken(.background), .crashed("killed by signal 9 (SIGKILL)")], .crashed,
                "the app ended while it worked on it: killed by signal 9 (SIGKILL)"
            ),
            (
                [.delivered, .crashed("exited with status 3"), .presented(.banner)], .shown,
                "shown (banner); not opened yet; the app ended while it worked on it: exited with status 3"
            ),
            // Reports come in any order.
            ([.opened, .presented(.banner), .delivered, .sent, .accepted], .opened, "opened by the user"),
            ([.suppressed(.forceQuit), .delivered, .sent], .suppressed, "swiped it away"),
            // What says nothing about the outcome changes nothing.
            (
                [.sent, .delivered, .callback(name: "f", state: .active), .serviceExtension(.ran)], .delivered,
                "delivered"
            ),
        ] as [([JourneyEvent.Kind], Verdict.State, String)]
    )
    func furthest(_ kinds: [JourneyEvent.Kind], _ state: Verdict.State, _ words: String) {
        let verdict = verdict(kinds)
        #expect(verdict.state == state)
        #expect(verdict.sentence.contains(words), "\(verdict.sentence)")
    }

    @Test("Names the two environments that disagree, and what to do")
    func environment() {
        let context = Verdict.Context(pushEnvironment: .production, deviceEnvironment: .development)
        let verdict = verdict([.accepted, .targeted, .suppressed(.environment)], context: context)
        #expect(verdict.state == .suppressed)
        #expect(
            verdict.sentence.hasPrefix(
                """
                not sent: the app was registered as a development build and the push asked for production; build, \
                credential and push must agree
                """
            ),
            "\(verdict.sentence)"
        )
        #expect(verdict.sentence.contains("options.apns_production to false"))
        let other = Verdict.Context(pushEnvironment: .development, deviceEnvironment: .production)
        let reverse = self.verdict([.suppressed(.environment)], context: other).sentence
        #expect(reverse.contains("registered as a production build and the push asked for development"))
        #expect(reverse.contains("options.apns_production to true"))
        #expect(self.verdict([.suppressed(.environment)]).sentence.contains("must agree"))
    }

    @Test("Quiet hours are told as a suppression with their end; what was held and then sent is sent")
    func quietHours() {
        let end = Date(timeIntervalSince1970: 1_767_308_400)
        let held = JourneyEvent.Kind.quietHours(until: end, isHeld: true)
        let event = JourneyEvent(date: Date(timeIntervalSince1970: 1_767_276_000), station: .service, kind: held)
        #expect(
            event.json == [
                "at": "2026-01-01T14:00:00.000Z", "by": "service", "event": "suppressed", "reason": "quietHours",
                "until": "2026-01-01T23:00:00.000Z", "held": true,
            ]
        )
        let waiting = verdict([.accepted, .targeted, held])
        #expect(waiting.state == .waiting)
        #expect(waiting.sentence == "waits: the device has quiet hours until 2026-01-01T23:00:00Z; it is sent then")
        #expect(verdict([.accepted, .targeted, held, .sent]).state == .sent)
        let over = verdict([.accepted, .targeted, .quietHours(until: end, isHeld: false)])
        #expect(over.state == .suppressed)
        #expect(over.sentence.contains("2026-01-01T23:00:00Z") && over.sentence.contains("x_quiet_hours"))
    }

    @Test("Every suppression has a sentence of its own", arguments: SuppressionReason.allCases)
    func everySuppression(_ reason: SuppressionReason) {
        let sentences = Set(SuppressionReason.allCases.map { verdict([.suppressed($0)]).sentence })
        #expect(sentences.count == SuppressionReason.allCases.count)
        #expect(verdict([.accepted, .targeted, .suppressed(reason)]).state == Self.state(of: reason))
    }

    @Test("A refusal by APNs says more than why the service sends nothing later", arguments: SuppressionReason.allCases)
    func refusalAndSuppression(_ reason: SuppressionReason) {
        let verdict = verdict([.accepted, .targeted, .refused(.badDeviceToken), .suppressed(reason)])
        #expect(verdict.state == (reason.effect == .notSent ? .refused : Self.state(of: reason)))
    }

    /// A call that is reported late has ended its app.
    private static func state(of reason: SuppressionReason) -> Verdict.State {
        reason == .reportedLate ? .crashed : .suppressed
    }

    @Test("A refusal is not hidden by the missing token that it left behind")
    func refusalIsNotHidden() {
        let verdict = verdict([.accepted, .targeted, .refused(.unregistered), .suppressed(.noToken)])
        #expect(verdict.state == .refused)
        #expect(verdict.sentence.contains("Unregistered"))
    }
}
