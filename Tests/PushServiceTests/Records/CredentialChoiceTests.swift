import Foundation
import PushModel
import PushStoreConformance
import TestSupport
import Testing

@testable import PushService

/// Which credential of an app's set sends a push.
@Suite("The choice of a credential")
struct CredentialChoiceTests {
    private static let bundleID = "com.example.app"
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let both = Set(APNSEnvironment.allCases)

    private static func key(
        _ id: SealedCredential.ID,
        for environments: Set<APNSEnvironment>? = nil,
        topics: [String]? = nil,
        refused: [(APNSEnvironment, String, APNSReason)] = []
    ) -> SealedCredential {
        let scope = CredentialScope(
            environments: environments ?? both,
            namesEnvironments: environments != nil,
            topics: topics
        )
        var key = SealedCredential.key(of: 1, id: "KEY\(id)", scope: scope, at: now + Double(id))
        key.id = id
        for (environment, topic, reason) in refused {
            key.answers.record(
                KnownAnswers.Answer(environment: environment, topic: topic, reason: reason, at: now)
            )
        }
        return key
    }

    private static func certificate(
        _ id: SealedCredential.ID,
        in environments: Set<APNSEnvironment> = both,
        named: Bool = false,
        topics: [String]? = nil,
        endsIn days: Double = 100
    ) -> SealedCredential {
        var certificate = SealedCredential.certificate(
            of: 1,
            for: bundleID,
            in: environments,
            endsAt: now + days * 86_400,
            topics: topics,
            at: now + Double(id)
        )
        certificate.id = id
        certificate.scope.namesEnvironments = named
        return certificate
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var set: [SealedCredential]
        var topic = TopicKind.notification
        var environment = APNSEnvironment.production
        /// The id of the credential that is chosen; nil for none.
        var chosen: SealedCredential.ID?
    }

    static let rows = [
        Row(testDescription: "no credential", set: [], chosen: nil),
        Row(testDescription: "the only one", set: [key(1)], chosen: 1),
        Row(testDescription: "the only one, for calls", set: [key(1)], topic: .voip, chosen: 1),
        Row(testDescription: "one for the other environment alone", set: [key(1, for: [.development])], chosen: nil),
        Row(
            testDescription: "one for this environment before one for both, though older",
            set: [key(1, for: [.production]), key(2, for: both)],
            chosen: 1
        ),
        Row(
            testDescription: "and in the other environment the one for both",
            set: [key(1, for: [.production]), key(2, for: both)],
            environment: .development,
            chosen: 2
        ),
        Row(
            testDescription: "a topic by its name before all topics of the team",
            set: [key(1, topics: [bundleID]), key(2, for: [.production])],
            chosen: 1
        ),
        Row(
            testDescription: "a topic with its suffix before its bundle id",
            set: [key(1, topics: [bundleID + ".voip"]), key(2, topics: [bundleID])],
            topic: .voip,
            chosen: 1
        ),
        Row(
            testDescription: "a bundle id stands for its topics with a suffix",
            set: [key(1), key(2, topics: [bundleID])],
            topic: .liveActivity,
            chosen: 2
        ),
        Row(testDescription: "topics of another app", set: [key(1, topics: ["com.example.other"])], chosen: nil),
        Row(
            testDescription: "a topic with a suffix is not its bundle id",
            set: [key(1, topics: [bundleID + ".voip"])],
            chosen: nil
        ),
        Row(testDescription: "a key before a certificate", set: [key(1), certificate(2)], chosen: 1),
        Row(
            testDescription: "a key before a certificate that happens to open one environment",
            set: [key(1), certificate(2, in: [.production])],
            chosen: 1
        ),
        Row(
            testDescription: "a certificate that was named for one environment before a key for both",
            set: [key(1), certificate(2, in: [.production], named: true)],
            chosen: 2
        ),
        Row(testDescription: "the newest of two keys", set: [key(1), key(2)], chosen: 2),
        Row(testDescription: "the newest of two certificates", set: [certificate(1), certificate(2)], chosen: 2),
        Row(
            testDescription: "a certificate that is valid before a newer one that has expired",
            set: [certificate(1), certificate(2, endsIn: -1)],
            chosen: 1
        ),
        Row(
            testDescription: "an expired certificate, if there is nothing else",
            set: [certificate(1, endsIn: -1)],
            chosen: 1
        ),
        Row(
            testDescription: "a certificate that does not name the app's topic",
            set: [certificate(1, topics: ["com.example.other"])],
            chosen: nil
        ),
        Row(
            testDescription: "a certificate of a version that did not note the topics, for calls",
            set: [certificate(1)],
            topic: .voip,
            chosen: 1
        ),
        Row(
            testDescription: "a key that APNs says is for the other environment, after one that it has not refused",
            set: [key(1), key(2, refused: [(.production, bundleID, .badEnvironmentKeyInToken)])],
            chosen: 1
        ),
        Row(
            testDescription: "and in the other environment before it, as one for that environment alone",
            set: [key(1, refused: [(.production, bundleID, .badEnvironmentKeyInToken)]), key(2)],
            environment: .development,
            chosen: 1
        ),
        Row(
            testDescription: "a refused topic concerns this topic alone",
            set: [key(1), key(2, refused: [(.production, bundleID + ".voip", .topicDisallowed)])],
            chosen: 2
        ),
        Row(
            testDescription: "and there the next one is in turn",
            set: [key(1), key(2, refused: [(.production, bundleID + ".voip", .topicDisallowed)])],
            topic: .voip,
            chosen: 1
        ),
        Row(
            testDescription: "a refused key, if there is nothing else: its pushes wait with the reason",
            set: [key(1, refused: [(.production, bundleID, .badEnvironmentKeyInToken)])],
            chosen: 1
        ),
        Row(
            testDescription: "a refusal that may pass does not count",
            set: [key(1), key(2, refused: [(.production, bundleID, .invalidProviderToken)])],
            chosen: 2
        ),
    ]

    @Test("The rule", arguments: rows)
    func rule(_ row: Row) {
        for set in [row.set, row.set.reversed()] {
            let chosen = SealedCredential.choice(
                among: Array(set),
                for: row.topic.topic(of: Self.bundleID),
                in: row.environment,
                at: Self.now
            )
            #expect(chosen?.id == row.chosen)
        }
    }

    @Test("What is accepted later takes back that the key is not for the environment")
    func acceptedLater() {
        var answers = KnownAnswers()
        func answer(_ topic: String, _ reason: APNSReason?) -> KnownAnswers.Answer {
            KnownAnswers.Answer(environment: .production, topic: topic, reason: reason, at: Self.now)
        }
        let isNew = answers.record(answer("a", .badEnvironmentKeyInToken))
        #expect(isNew)
        #expect(answers.refusedEnvironments == [.production])
        let isNewAgain = answers.record(answer("a", .badEnvironmentKeyInToken))
        #expect(!isNewAgain, "It is known.")
        let isTakenBack = answers.record(answer("b", nil))
        #expect(isTakenBack)
        #expect(answers.refusedEnvironments.isEmpty && answers.isAccepted(for: "b", in: .production))
        let isRefused = answers.record(answer("b", .topicDisallowed))
        #expect(isRefused)
        #expect(answers.refusal(for: "b", in: .production) != nil)
        #expect(answers.refusal(for: "a", in: .production) == nil)
    }

    @Test("So many answers are kept, the latest; their stored form is read as it was written")
    func stored() {
        var answers = KnownAnswers()
        for number in 0..<KnownAnswers.most + 5 {
            answers.record(
                KnownAnswers.Answer(
                    environment: .development,
                    topic: "t\(number)",
                    reason: number.isMultiple(of: 2) ? nil : .topicDisallowed,
                    at: Self.now + Double(number)
                )
            )
        }
        #expect(answers.list.count == KnownAnswers.most && answers.list.first?.topic == "t5")
        #expect(KnownAnswers(stored: answers.stored) == answers)
        #expect(KnownAnswers(stored: "{").list.isEmpty)
    }

    @Test("The lanes of all topics have numbers of their own, and those for notifications the numbers of before")
    func laneNumbers() {
        var seen: Set<Int64> = []
        for app: App.ID in [1, 2, 300, .max] {
            for topic in TopicKind.allCases {
                for environment in APNSEnvironment.allCases {
                    for delivery in [DeliveryClass.immediate, .bulk] {
                        let lane = Lane(app: app, environment: environment, topic: topic, delivery)
                        #expect(Lane(number: lane.number) == lane)
                        #expect(seen.insert(lane.number).inserted)
                        #expect(lane.number & -2 == lane.destination.number)
                        #expect(Destination(number: lane.destination.number) == lane.destination)
                        if topic == .notification {
                            let before =
                                Int64(app) * 4 + (environment == .production ? 2 : 0) + Int64(delivery.rawValue)
                            #expect(lane.number == before)
                        }
                    }
                }
            }
        }
    }
}
