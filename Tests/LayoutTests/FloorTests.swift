import Testing

/// The floors of CONTRIBUTING.md, "Where does a line of code belong?"
@Suite("Floors")
struct FloorTests {
    /// From the ground: a floor names only types of its own and of those before it.
    private static let floors = ["Records", "Registry", "Road", "Operation", "Composition"]

    private static let module = "Service/PushService/"

    @Test("A floor of PushService names no type of a floor above it")
    func floors() {
        let files = SourceTree.files.filter { $0.path.hasPrefix(Self.module) }
        for floor in Self.floors {
            #expect(files.contains { $0.path.hasPrefix("\(Self.module)\(floor)/") }, "\(floor) has files.")
        }
        #expect(Self.pointingUp(in: files) == [])
    }

    /// The names that files take from floors above their own. A name that is declared twice is left out.
    static func pointingUp(in files: [SourceFile]) -> [String] {
        var declared: [String: [SourceFile]] = [:]
        for file in files {
            for type in file.code.types { declared[type, default: []].append(file) }
        }
        return files.flatMap { file -> [String] in
            let own = floor(of: file)
            return file.code.names.compactMap { name in
                guard let places = declared[name], places.count == 1, floor(of: places[0]) > own else { return nil }
                return "\(file.path) names \(name) of \(places[0].path)"
            }
        }.sorted()
    }

    /// The number of a file's floor. A file outside of all folders is above them.
    private static func floor(of file: SourceFile) -> Int {
        let folder = file.path.dropFirst(module.count).prefix { $0 != "/" }
        return floors.firstIndex { $0 == folder } ?? floors.count
    }

    @Test("A name is found in code alone, and only from below")
    func findsNames() {
        func file(_ path: String, _ text: String) -> SourceFile { SourceFile("\(Self.module)\(path)", text) }
        let files = [
            file("Records/Chunk.swift", "package struct Chunk {}\nstruct Twice {}"),
            file("Road/Lane.swift", "final class Lane { let chunk: Chunk }\nprotocol Hidden {}\nenum Twice {}"),
            file("Records/Up.swift", "let lane: [Lane]\nlet twice: Twice"),
            file("Registry/Quiet.swift", "/* Lane /* */ Hidden */ let a = \"Lane \\(b) Hidden\" // Lane"),
            file("Root.swift", "enum Root { let lane: Lane }"), file("Composition/Core.swift", "let root = Root.self"),
        ]
        #expect(
            Self.pointingUp(in: files) == [
                "\(Self.module)Composition/Core.swift names Root of \(Self.module)Root.swift",
                "\(Self.module)Records/Up.swift names Lane of \(Self.module)Road/Lane.swift",
            ]
        )
    }
}
