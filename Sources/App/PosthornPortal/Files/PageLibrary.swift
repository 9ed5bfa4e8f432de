import CPortalFiles
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import NIOCore
import PushModel
import PushService

/// The values that a template shows, by name. Nil hides a value of the same name further out.
typealias PageValues = JSONMembers

/// Templates, texts, scripts and styles, ready to be served.
struct PageLibrary: Sendable {
    let files: PortalFiles
    let catalogues: [Language: Catalogue]
    private let templates: MustacheLibrary
    private let folder: URL?

    /// Whether the files are read again for each request.
    var isReloading: Bool { folder != nil }

    /// The library in the binary, made when the first page is asked for.
    static let embedded: PageLibrary = {
        do { return try PageLibrary(files: .embedded, folder: nil) } catch {
            preconditionFailure("The portal's own files: \(error)")
        }
    }()

    /// A library that reads its files again for each request, for work on the portal.
    ///
    /// - Throws: an error about a file.
    init(reloading folder: URL) throws { try self.init(files: try Self.read(folder), folder: folder) }

    private init(files: PortalFiles, folder: URL?) throws {
        self.files = files
        self.folder = folder
        catalogues = Dictionary(
            uniqueKeysWithValues: try Language.allCases.map { ($0, try Catalogue($0, from: files)) }
        )
        var templates = MustacheLibrary()
        for (name, bytes) in files.files(in: "Pages") {
            let text = String(decoding: bytes, as: UTF8.self)
            try templates.register(text, named: String(name.prefix { $0 != "." }))
        }
        self.templates = templates
    }

    /// The library with the files as they are now.
    fileprivate var reloaded: PageLibrary {
        guard let folder else { return self }
        // A file may be half-written; then the last state stays.
        return (try? PageLibrary(reloading: folder)) ?? self
    }

    func catalogue(_ language: Language) -> Catalogue {
        guard let catalogue = catalogues[language] else { preconditionFailure("Each language has a catalogue.") }
        return catalogue
    }

    /// Returns a script or a style sheet with its media type. `texts.LANGUAGE.SECTION.js` is a section of the catalogue as a
    /// module, so that a page loads the texts that its scripts show, and no others.
    func file(_ name: String) -> (bytes: [UInt8], type: String)? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 4, parts[0] == "texts", parts[3] == "js", let language = Language(rawValue: parts[1]),
            let section = catalogue(language).sections[parts[2]]
        {
            return (Array("export default \(section.text);\n".utf8), Self.scriptType)
        }
        if let script = files.contents["Scripts/\(name)"] { return (script, Self.scriptType) }
        return files.contents["Styles/\(name)"].map { ($0, "text/css; charset=utf-8") }
    }

    private static let scriptType = "text/javascript; charset=utf-8"

    /// Returns a page as HTML.
    func render(_ template: String, _ values: PageValues) -> String {
        guard let text = templates.render(JSONValue.object(values.json).forTemplates, withTemplate: template) else {
            preconditionFailure("There is no template '\(template)'.")
        }
        return text
    }

    private static func read(_ folder: URL) throws -> PortalFiles {
        var contents: [String: [UInt8]] = [:]
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for name in names where ["js", "css", "json", "mustache"].contains(URL(filePath: name).pathExtension) {
            contents[name] = Array(try Data(contentsOf: folder.appending(path: name)))
        }
        return PortalFiles(contents: contents)
    }
}

/// Where pages come from: the binary, or a folder for work on the portal.
struct PageSource: Sendable {
    private let folder: PageLibrary?

    /// - Parameter folder: a folder whose files are read again for each request, instead of those in the binary.
    /// - Throws: an error about a file of the folder.
    init(reloading folder: URL?) throws { self.folder = try folder.map { try PageLibrary(reloading: $0) } }

    /// The library for the next page.
    var current: PageLibrary { folder?.reloaded ?? .embedded }
}

extension Language {
    /// The language that a browser has chosen before, or that it asks for.
    init(of request: Request) {
        let chosen = request.cookies[Cookies.language].flatMap { Language(rawValue: $0.value) }
        self = chosen ?? Language(accepting: request.headers[.acceptLanguage])
    }
}

extension Catalogue {
    /// Reads the texts in `Languages/`, a file for each section, and adds those of the service that the portal does not say in
    /// another way.
    ///
    /// - Throws: an error about a file that is not JSON.
    init(_ language: Language, from files: PortalFiles) throws {
        let sections = files.files(in: "Languages/\(language.rawValue)").sorted { $0.key < $1.key }
        self.init(
            language,
            adding: JSONObject(
                try sections.map { (String($0.key.prefix { $0 != "." }), try JSONValue(parsing: $0.value)) }
            )
        )
    }
}

/// A value that templates treat as false and as empty text, and that hides one of the same name further out.
private struct Absent: MustacheCustomRenderable {
    var renderText: String { "" }
    var isNull: Bool { true }
}

extension JSONValue {
    /// The value as templates read it; null and empty text count as false.
    fileprivate var forTemplates: Any {
        switch self {
        case .null: Absent()
        case .bool(let value): value
        case .integer(let value): value
        case .double(let value): value
        case .decimal(let text): text
        case .string(let value): value.isEmpty ? Absent() as Any : value
        case .array(let values): values.map(\.forTemplates)
        case .object(let object):
            // Keys may differ in octets and be the same to `String`.
            Dictionary(object.members.map { ($0.key, $0.value.forTemplates) }, uniquingKeysWith: { $1 })
        }
    }
}

/// The templates, scripts, styles and texts of the portal.
struct PortalFiles: Sendable {
    /// The contents by path, such as `Pages/layout.mustache`.
    let contents: [String: [UInt8]]
    /// A hash of all contents, part of the addresses of scripts and styles, which browsers may therefore keep.
    let version: String

    init(contents: [String: [UInt8]]) {
        self.contents = contents
        var hash = SHA256()
        for (path, bytes) in contents.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Array(path.utf8))
            hash.update(data: bytes)
        }
        version = Array(hash.finalize().prefix(8)).hexadecimal
    }

    /// The files in the binary.
    static let embedded = PortalFiles(
        contents: Dictionary(
            uniqueKeysWithValues: (0..<portal_file_count()).map { index in
                let file = unsafe portal_file(index)
                // The bytes are constants of the binary.
                let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
                return (unsafe String(cString: file.path), bytes)
            }
        )
    )

    /// Returns the files below a folder by their path in it, such as `layout.mustache` for `Pages`.
    func files(in folder: String) -> [String: [UInt8]] {
        let prefix = folder + "/"
        return Dictionary(
            uniqueKeysWithValues: contents.filter { $0.key.hasPrefix(prefix) }.map {
                (String($0.key.dropFirst(prefix.count)), $0.value)
            }
        )
    }
}

extension PageLibrary {
    /// Returns a script or a style sheet; nil if there is none with this name.
    ///
    /// `version`: the version of the page that asks for it.
    func response(_ name: String, version: String) -> Response? {
        guard let (bytes, type) = file(name) else { return nil }
        // An older page asks for an older version, and gets the present one without keeping it.
        let isCurrent = version == files.version && !isReloading
        var response = Response(ByteBuffer(bytes: bytes), as: type)
        response.headers[.cacheControl] = isCurrent ? "public, max-age=31536000, immutable" : "no-store"
        return response
    }
}
