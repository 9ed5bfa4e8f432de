package import PushModel

/// A frame that is one JSON object, whose member `type` says which frame it is.
package protocol JSONFrame {
    /// Reads the members; returns nil for an unknown type.
    ///
    /// - Throws: for a member that is missing or invalid.
    init?(type: String, members: JSONReader) throws(JSONProblem)
}

extension JSONFrame {
    /// - Throws: for text that is not such a frame.
    package init(parsing text: String) throws(LinkFrameError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: text) } catch { throw LinkFrameError("A frame is not JSON: \(error).") }
        guard let object = json.object, let type = object["type"]?.string else {
            throw LinkFrameError("A frame is not an object with a 'type'.")
        }
        let frame: Self?
        do throws(JSONProblem) { frame = try Self(type: type, members: JSONReader(object)) } catch {
            throw LinkFrameError("A '\(type)' frame needs '\(error.path)', \(error.expected).")
        }
        guard let frame else { throw LinkFrameError("Frames of type '\(type)' are not known.") }
        self = frame
    }
}
