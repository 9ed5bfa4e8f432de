@testable import PushAPI

/// An upload: the first octet is whether the body is whole, the first line the content type, the rest the body.
func fuzzMultipart(_ input: [UInt8]) {
    var reader = Reader(input)
    let isWhole = reader.byte() & 1 == 1
    let lines = reader.rest.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let contentType = String(decoding: lines.first ?? [], as: UTF8.self)
    let body = Array(lines.dropFirst().first ?? [])
    guard let form = try? MultipartForm(body, contentType: contentType, isWhole: isWhole) else { return }
    check(form.parts.count <= MultipartForm.partLimit, "\(form.parts.count) parts")
    var end = 0
    for part in form.parts {
        check(end <= part.content.startIndex && part.content.endIndex <= body.count, "parts overlap, or leave the body")
        check(part.content.elementsEqual(body[part.content.indices]), "a part is not what stands in the body")
        check(part.name.utf8.count <= MultipartForm.headerLimit, "a name of \(part.name.utf8.count) octets")
        end = part.content.endIndex
    }
    checkWritten(form)
}

/// What was read, written as a browser writes it and read again, is the same.
private func checkWritten(_ form: MultipartForm) {
    let texts = form.parts.flatMap { [$0.name, $0.fileName ?? ""] }
    // A browser writes these in another way, which cannot be told from the text itself.
    guard texts.allSatisfy({ Set("\r\n%".utf8).isDisjoint(with: $0.utf8) }) else { return }
    var boundary = "fuzz"
    while form.parts.contains(where: { $0.content.contains(Array("--\(boundary)".utf8)) }) { boundary += "x" }
    guard boundary.utf8.count <= 70 else { return }
    var body: [UInt8] = []
    for part in form.parts {
        let file = part.fileName.map { "; filename=\(quoted($0))" } ?? ""
        body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\(quoted(part.name))\(file)\r\n\r\n".utf8)
        body += part.content + [0x0D, 0x0A]
    }
    body += Array("--\(boundary)--\r\n".utf8)
    do {
        let again = try MultipartForm(body, contentType: "multipart/form-data; boundary=\(boundary)")
        check(again.parts.count == form.parts.count, "\(form.parts.count) parts are read again as \(again.parts.count)")
        for (part, other) in zip(form.parts, again.parts) {
            check(part.name.utf8.elementsEqual(other.name.utf8), "'\(part.name)' is read again as '\(other.name)'")
            check(part.fileName == other.fileName, "\(String(describing: part.fileName)) is another file")
            check(part.content.elementsEqual(other.content), "the content of '\(part.name)' is read again as another")
        }
    } catch {
        // A name may grow by its backslashes.
        check("\(error)".contains("header of a part"), "what is written cannot be read: \(error)")
    }
}

private func quoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
        quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
}
