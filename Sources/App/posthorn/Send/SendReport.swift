import APNSProvider
import Foundation
import PushModel
import PushService

/// The result of a push, as text and as JSON.
enum SendReport {
    /// The answer to a push with this expiration.
    case answered(APNSProbe.Answer, APNSExpiration?)
    /// The push was not sent, because APNs would refuse it.
    case notSent(APNSPushProblem)
    case noAnswer(String)

    /// 0 for a response of 200, 1 for any other and for a push that was not sent, 2 for no response.
    var exitCode: Int32 {
        switch self {
        case .answered(let answer, _): answer.status == 200 ? 0 : 1
        case .notSent: 1
        case .noAnswer: 2
        }
    }

    func lines(_ texts: Catalogue) -> [String] {
        switch self {
        case .answered(let answer, let expiration):
            let outcome = "\(answer.status) \(answer.reason?.rawValue ?? "accepted")"
            guard let advice = answer.advice else {
                return [outcome] + answer.facts + [texts["remarks", Self.prospect(of: expiration)]]
            }
            func words(_ part: String) -> String? { texts.text("reasons", "\(answer.reason?.rawValue ?? "")_\(part)") }
            let remedy = texts.text("remarks", "send_remedy", with: ["remedy": words("remedy") ?? advice.remedy])
            return [outcome] + answer.facts + [words("meaning") ?? advice.meaning, remedy]
        case .notSent(let problem):
            let answer = "\(problem.reason.status) \(problem.reason)"
            return [
                texts.text("remarks", "send_notSent", with: ["answer": answer]), problem.description,
                texts["remarks", "send_unchecked"],
            ]
        case .noAnswer(let text):
            return [text] + (Self.hint(about: text).map { [$0] } ?? [])
        }
    }

    /// The key of the remark on what becomes of an accepted push.
    private static func prospect(of expiration: APNSExpiration?) -> String {
        if expiration == .oneAttempt { return "send_oneAttempt" }
        return expiration?.hasPassed(at: Date()) == true ? "send_expired" : "send_accepted"
    }

    private static func hint(about failure: String) -> String? {
        if failure.contains("CERTIFICATE_VERIFY_FAILED") {
            return "What to do: the server's certificate is not trusted; give a gateway's authority, ca.pem, with --ca."
        }
        if failure.contains("unableToValidateCertificate") {
            return "What to do: the certificate has a name other than --host; give it with --server-name."
        }
        return nil
    }

    var json: JSONObject {
        var object: JSONObject = [:]
        switch self {
        case .answered(let answer, _):
            object["sent"] = true
            object["status"] = .number(answer.status)
            object["reason"] = JSONValue(answer.reason?.rawValue)
            object["apns-id"] = JSONValue(answer.id)
            object["apns-unique-id"] = JSONValue(answer.uniqueID)
            object["timestamp"] = JSONValue(
                answer.timestamp.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }
            )
            object["meaning"] = JSONValue(answer.advice?.meaning)
            object["remedy"] = JSONValue(answer.advice?.remedy)
        case .notSent(let problem):
            object["sent"] = false
            object["reason"] = .string(problem.reason.rawValue)
            object["meaning"] = .string(problem.description)
        case .noAnswer(let text):
            object["error"] = .string(text)
        }
        return object
    }
}

extension APNSProbe.Answer {
    /// Advice about the reason; nil for 200.
    fileprivate var advice: APNSAdvice? { reason?.advice(status: status) }

    fileprivate var facts: [String] {
        let date = timestamp.map { $0.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
        let facts = [("apns-id", id), ("apns-unique-id", uniqueID), ("dead since", date)]
        return facts.compactMap { name, value in
            value.map { name.padding(toLength: 16, withPad: " ", startingAt: 0) + $0 }
        }
    }
}
