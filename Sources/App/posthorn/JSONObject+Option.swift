import ArgumentParser
import PushModel

extension JSONObject {
    /// Reads the JSON object that an option has.
    ///
    /// - Throws: `ValidationError` with an example for anything else.
    init(_ text: String, of option: String, such example: String) throws {
        guard let object = (try? JSONValue(parsing: text))?.object else {
            throw ValidationError("\(option) is '\(text.prefix(80))'; expected a JSON object, such as '\(example)'.")
        }
        self = object
    }
}
