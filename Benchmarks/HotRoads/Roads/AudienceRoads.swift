import PushClock
import PushModel
import PushService

let audienceRoads: [Road] = {
    let kinds: [(name: String, audience: @Sendable (Crowd) -> Audience)] = [
        ("all", { _ in .all }),
        ("tag", { _ in filter { $0.tags = ["tenth1"] } }),
        ("tag_and", { _ in filter { $0.tagsAnd = ["tenth1", "other1"] } }),
        ("tag_not", { _ in filter { $0.tagsNot = ["tenth1"] } }),
        ("alias", { _ in filter { $0.aliases = (0..<1000).map { "alias\($0 * 97)" } } }),
        (
            "registration_id",
            { crowd in
                filter {
                    $0.registrationIDs = (0..<1000).map { crowd.house.registrationID($0 * 97) }
                }
            }
        ),
        ("segment", { _ in filter { $0.segments = ["recent"] } }),
        ("abtest", { _ in filter { $0.segments = ["half"] } }),
    ]
    let roads = kinds.map { kind in
        Road(name: "audience_" + kind.name, unit: "audience", house: "devices") { meter in
            let crowd = try await Crowd.shared.value
            try await resolve(kind.audience(crowd), of: crowd, meter)
        }
    }
    return roads + [Road(name: "audience_past", unit: "audience", house: "past") { try await resolvePast($0) }]
}()

private func filter(_ change: (inout Audience.Filter) -> Void) -> Audience {
    var filter = Audience.Filter()
    change(&filter)
    return .filter(filter)
}

/// Asks who belongs to an audience of 100,000 devices.
private func resolve(_ audience: Audience, of crowd: Crowd, _ meter: Meter) async throws {
    var found = 0
    try await meter.measure(units: 1) {
        found =
            crowd.house.core.registry.resolve(
                audience,
                of: crowd.house.app.id,
                environment: .production,
                at: crowd.house.clock.date
            ).reachable.count
    }
    guard found > 0 else { throw UnexpectedAnswer("The audience has no devices.") }
}

/// Asks who of 10,000 devices got an earlier push and did not open it, which the store knows.
private func resolvePast(_ meter: Meter) async throws {
    let count = 10_000
    let sender = CountingSender()
    let house = try await House(sender: sender)
    house.addDevices(count)
    let message = try await sendToAll(of: house, by: sender, count: count)
    let conditions = ["got", "not_opened"].map { #"{"msg_id":"\#(message)","was":"\#($0)"}"# }.joined(separator: ",")
    let body = Array(#"{"platform":["ios"],"audience":{"x_pushes":[\#(conditions)]}}"#.utf8)
    var found = 0
    try await meter.measure(units: 1) { found = try await house.core.acceptor.count(body, for: house.app).devices }
    guard found == count else { throw UnexpectedAnswer("The audience has \(found) devices.") }
    try house.remove()
}

/// An app with 100,000 devices.
struct Crowd: Sendable {
    static let count = 100_000
    /// The tag of 500 devices, which are one step.
    static let stepTag = "step"

    let house: House
    let sender: CountingSender

    /// Made once for all roads of a process.
    static let shared = Task { try await Crowd() }

    private init() async throws {
        sender = CountingSender()
        house = try await House(sender: sender)
        house.addDevices(Self.count) { number in
            var random = SplitMix(seed: UInt64(number))
            let tags = [
                "tenth\(random.next() % 10)", "other\(random.next() % 10)", "thousandth\(random.next() % 1000)",
            ]
            return number < LanePlan.stepSize ? tags + [Self.stepTag] : tags
        }
        for (name, rule) in [
            ("recent", #"{"audience":{"tag":["tenth1"]},"seen_within_days":30,"push_state":["reachable"]}"#),
            ("half", #"{"share":{"test":"autumn","from":0,"to":50}}"#),
        ] {
            _ = try await house.core.segments.set(name, Array(rule.utf8), of: house.app.id)
        }
    }
}
