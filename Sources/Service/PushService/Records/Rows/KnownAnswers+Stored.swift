import Foundation
import PushModel

extension KnownAnswers {
    /// The stored form: a JSON array of objects with `environment`, `topic`, `reason` (absent if accepted) and `at` in milliseconds.
    package var stored: String {
        let answers = list.map { answer in
            JSONValue.object(
                JSONObject(present: [
                    "environment": answer.environment.rawValue, "topic": answer.topic, "at": answer.at.milliseconds,
                    "reason": answer.reason?.rawValue,
                ])
            )
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
