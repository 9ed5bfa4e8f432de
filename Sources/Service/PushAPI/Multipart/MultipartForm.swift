/// The parts of a body of type `multipart/form-data`.
///
/// Source: RFC 7578; RFC 2046, section 5.1.1, for the boundary lines.
struct MultipartForm {
    struct Part {
        var name: String
        /// The name on the caller's disk; never used as a path here.
        var fileName: String?
        var content: ArraySlice<UInt8>
    }

    /// The maximum number of parts; a form of this API has four.
    static let partLimit = 100
    /// The maximum size of a part's header in bytes.
    static let headerLimit = 8192

    private(set) var parts: [Part] = []

    /// Reads a body by the boundary in its content type. If the body has the length that the request declares (`isWhole`) and lacks its
    /// last boundary, it is not truncated, and the last part ends with it: a library for Go sends its form before closing it.
    ///
    /// - Throws: an error with the value found and the one expected.
    init(_ body: [UInt8], contentType: String?, isWhole: Bool = false) throws(MultipartProblem) {
        let parameters = HeaderParameters(contentType ?? "")
        guard parameters.value.lowercased() == "multipart/form-data" else {
            throw MultipartProblem("the content type is '\(contentType ?? "")'; expected multipart/form-data")
        }
        guard let boundary = parameters["boundary"], (1...70).contains(boundary.utf8.count) else {
            throw MultipartProblem("the content type names no boundary of 1 to 70 characters")
        }
        var reader = MultipartReader(body: body, boundary: boundary, isWhole: isWhole)
        try reader.skipPreamble()
        while let part = try reader.next() {
            parts.append(part)
            guard parts.count <= Self.partLimit else {
                throw MultipartProblem("the body has more than \(Self.partLimit) parts")
            }
        }
    }

    /// Returns the first part with this name.
    subscript(name: String) -> Part? { parts.first { $0.name == name } }
}

/// The reason why a body cannot be read as a form.
struct MultipartProblem: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
