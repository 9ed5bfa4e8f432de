/// The parts of a body of type `multipart/form-data`.
///
/// Source: RFC 7578; RFC 2046, section 5.1.1, for the lines between parts.
struct MultipartForm {
    struct Part {
        var name: String
        /// As the caller has it on its disk; never a path of ours.
        var fileName: String?
        var content: ArraySlice<UInt8>
    }

    /// Parts of a body at most: a form of this API has four.
    static let partLimit = 100
    /// Bytes of the header of a part at most.
    static let headerLimit = 8192

    private(set) var parts: [Part] = []

    /// - Parameters:
    ///   - body: the body of the request.
    ///   - contentType: the header of the request, which names the boundary.
    ///   - isWhole: the body is as long as the request said, so without its last boundary it was not cut off, and the last
    ///     part ends with it: a library for Go sends its form before it has closed it.
    /// - Throws: what was found and what was expected.
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

    /// The first part of this name.
    subscript(name: String) -> Part? { parts.first { $0.name == name } }
}

/// Why a body cannot be read as a form.
struct MultipartProblem: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
