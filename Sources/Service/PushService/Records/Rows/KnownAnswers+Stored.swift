import Foundation
import PushModel

extension KnownAnswers {
    /// The stored form: a JSON array of objects with `environment`, `topic`, `reason` (absent if accepted) and `at` in milliseconds.
    package var stored: String {
        let answers = list.map { answer -> JSONValue in
            var object: JSONObject = [
                "environment": .string(answer.environment.rawValue), "topic": .string(answer.topic),
                "at": .number(answer.at.milliseconds),
            ]
            object["reason"] = answer.reason.map { .string($0.rawValue) }
            return .object(object)
        }
        return JSONValue.array(answers).text
    }

    /// Reads the stored form; answers that this version does not understand are left out, as nothing depends on knowing them.
    package init(stored text: String) {
        let array = (try? JSONValue(parsing: text))?.array ?? []
        self.init(
            array.compactMap { value in
                guard let object = value.object, let topic = object["topic"]?.string,
                    let environment = object["environment"]?.string.flatMap(APNSEnvironment.init(rawValue:)),
                    let at = object["at"]?.integer
                else { return nil }
                return Answer(
                    environment: environment,
                    topic: topic,
                    reason: object["reason"]?.string.map(APNSReason.init(rawValue:)),
                    at: Date(milliseconds: at)
                )
            }
        )
    }
}
