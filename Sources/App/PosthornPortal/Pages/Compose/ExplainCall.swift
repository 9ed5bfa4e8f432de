import Hummingbird
import PushClock
import PushDevice
import PushExplanation
import PushModel
import PushService

/// `POST portal/api/explain` answers the push of its body with its outcome on emulated iPhones, as `posthorn explain` has it.
extension Visit {
    /// Reads the major versions of iOS from `?ios=18,26`, the states of the app from `?states=front,locked`, and the phone's language from
    /// `?locale=zh-Hans`. One push is explained at a time.
    func explainPush() async throws -> Response {
        let body = Array(buffer: try await request.body.collect(upTo: PortalEnvironment.bodyLimit))
        func names(_ parameter: String) -> Set<Substring> {
            Set((request.parameter(parameter) ?? "").split(separator: ","))
        }
        var options = Explanation.Options(date: portal.clock.date)
        let versions = names("ios")
        let states = names("states")
        options.systems = SystemProfile.majors.filter { versions.contains("\($0)") }.map { .iOS($0) }
        options.states = Explanation.State.allCases.filter { states.contains(Substring($0.rawValue)) }
        options.language = request.parameter("locale").flatMap { LanguageTag($0) == nil ? nil : $0 }
        let push = ExplainedPush(reading: body, named: "push", options)
        if let refusal = push.refusal { throw PortalProblem(.badRequest, message: texts.said(refusal)) }
        let explanation = await portal.explaining.withLock { [options] in await Explanation(of: push, options) }
        return Response(values(of: explanation))
    }

    private func values(of explanation: Explanation) -> PageValues {
        let rows = explanation.rows.map { row -> PageValues in
            let systems = explanation.systems(of: row).replacing(", ", with: comma)
            let states = row.states.map { texts["compose", "state_\($0)"] }.joined(separator: comma)
            return [
                "name": "iOS \(systems) · \(states)", "outcome": outcome(row.sight), "callbacks": row.sight.callbacks,
            ]
        }
        return [
            "refusal": explanation.refusal.map(refusal), "bytes_left": explanation.bytesLeft,
            "remarks": (explanation.cautions + explanation.notes).map(texts.said), "rows": rows,
        ]
    }

    /// Returns the reason of APNs with what it means.
    private func refusal(_ english: String) -> String {
        let reason = english.prefix { $0 != ":" }
        return texts.language == .english ? english : "\(reason)：\(texts.sentence(of: "refused", String(reason)))"
    }

    private var comma: String { texts["schedules", "comma"] }

    private func outcome(_ sight: Sight) -> String {
        let isEnglish = texts.language == .english
        guard !isEnglish || !sight.presented.isEmpty else { return sight.outcome }
        let ways = sight.presented.map { texts["why", "how_\($0)"] }.joined(separator: comma)
        // Reasons are sentences in Chinese, which are known by the whole of those in English.
        let reasons = isEnglish ? sight.remarks : sight.reasons.map { texts.said($0).replacing(/。$/, with: "") }
        return ([ways] + reasons).filter { !$0.isEmpty }.joined(separator: isEnglish ? "; " : "；")
    }
}
