import Foundation
import Testing

/// Rules for `Sources`, of which some hold for `Tests`, too.
@Suite("House style")
struct HouseStyleTests {
    /// The files of `Sources` and of `Tests`, with the paths in the package.
    private static let all = SourceTree.files.map { (path: "Sources/\($0.path)", text: $0.text) } + tests

    private static let tests: [(path: String, text: String)] = {
        let place = SourceTree.root.appending(path: "Tests").path
        let names = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            (path: "Tests/\(name)", text: SourceTree.text(of: "Tests/\(name)") ?? "")
        }
    }()

    @Test("A doc comment begins with a noun phrase or a verb, not with a clause")
    func openings() {
        let lines = Self.all.flatMap { $0.text.split(separator: "\n") }.map {
            $0.drop { $0 == " " }
        }.filter { $0.hasPrefix("///") }
        let clauses = lines.filter { line in
            let word = line.dropFirst(3).drop { $0 == " " }.prefix { $0.isLetter }
            return ["What", "Who", "Whoever", "Whatever", "Those", "Of"].contains(word)
        }
        #expect(lines.count > 5000, "Doc comments are found.")
        #expect(clauses.count <= Self.clauses, "\(clauses.count) of \(lines.count) lines begin with What, Who, …")
    }

    /// Lines that begin with a clause today. This number only goes down.
    private static let clauses = 1

    @Test("No folder has more than 32 files of its own")
    func folders() {
        let counts = Dictionary(grouping: Self.all) { file in
            file.path.split(separator: "/").dropLast().joined(separator: "/")
        }
        for (folder, files) in counts {
            #expect(files.count <= 32, "\(folder) has \(files.count) files; move those of one idea into a folder.")
        }
        #expect(counts.count > 30, "Folders are found.")
    }

    @Test("At most 0.2 % of the functions have more than 60 lines, and none has more than 120")
    func lengths() {
        let lengths = SourceTree.files.flatMap { file in
            Self.lengths(in: file.text).map { (file.path, $0.line, $0.length) }
        }
        let long = lengths.filter { $0.2 > 60 }.sorted { $0.2 > $1.2 }
        #expect(lengths.count > 3000, "Functions are found.")
        let names = long.map { "\($0.0):\($0.1) has \($0.2) lines" }
        #expect(Double(long.count) <= 0.002 * Double(lengths.count), "\(names)")
        let tooLong = long.filter { $0.2 > 120 }
        #expect(tooLong.isEmpty, "A function has at most 120 lines.")
    }

    /// The first line and the number of lines of each function and initialiser in a source text. The formatter guarantees that a
    /// declaration of several lines ends with the first brace at its own indentation.
    static func lengths(in text: String) -> [(line: Int, length: Int)] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let declaration = #/^ *(?:@\w+(?:\([^)]*\))? +|\w+(?:\(\w+\))? +)*(?:func |init[?!]?[(<]|deinit\b)/#
        return lines.indices.compactMap { first in
            let line = lines[first]
            guard line.prefixMatch(of: declaration) != nil else { return nil }
            if line.hasSuffix("}") { return (first + 1, 1) }
            let indentation = line.prefix { $0 == " " }
            for last in lines.indices[(first + 1)...] where !lines[last].isEmpty {
                if lines[last].hasPrefix(indentation + "}") { return (first + 1, last - first + 1) }
                // A requirement of a protocol has no body.
                if lines[last].prefix(while: { $0 == " " }).count < indentation.count { return nil }
            }
            return nil
        }
    }

    @Test("The length of a function is counted from its first line to its brace")
    func countsLines() {
        let text = """
            protocol P {
                func requirement()
            }
            struct S {
                func one() { }
                private static func three(
                    a: Int
                ) {
                    if a > 0 {
                    }
                }
                init() {
                }
            }
            """
        #expect(Self.lengths(in: text).map(\.length) == [1, 6, 2])
    }

    @Test("Few lines assign several values as a tuple")
    func tuples() {
        let assignments = SourceTree.files.flatMap { file in file.code.tupleAssignments.map { "\(file.path): \($0)" } }
        #expect(!assignments.isEmpty, "Assignments are found.")
        // A swap, or two values that change together. One assignment a line is easier to read.
        #expect(assignments.count <= 20, "\(assignments)")
    }

    @Test(
        "A tuple is counted wherever it is assigned, and not in a comment or a string",
        arguments: [
            ("(a, b) = (b, a)", 1), ("        let (a, b) = (1, 2)", 1), ("{ (self.a, $0.b[1]) = (x, y) }", 1),
            ("private static let (a, b): (Int, Int) = (1, 2)", 1), ("let (a, b) = pair", 0), ("f(a, b) == (c, d)", 0),
            ("// (a, b) = (b, a)", 0), ("x = \"(a, b) = (b, a)\"", 0),
        ]
    )
    func countsTuples(_ text: String, _ count: Int) { #expect(SwiftCode(text).tupleAssignments.count == count) }

    @Test("A type that ten or more other files name stands in a file of its name")
    func places() {
        let strangers = Self.strangers(in: SourceTree.files, from: 10)
        #expect(strangers == [], "Move each into a file of its name.")
        #expect(SourceTree.files.flatMap(\.code.types).count > 1500, "Types are found.")
    }

    /// The types that so many other files name, and that stand in a file of another name.
    static func strangers(in files: [SourceFile], from least: Int) -> [String] {
        var places: [String: SourceFile] = [:]
        for file in files {
            for type in file.code.types where places[type] == nil { places[type] = file }
        }
        var users: [String: Int] = [:]
        for file in files {
            for name in file.code.names {
                if let place = places[name], place.path != file.path { users[name, default: 0] += 1 }
            }
        }
        return places.filter { type, file in users[type, default: 0] >= least && file.name != type }
            .map { "\($0.key) in \($0.value.path)" }.sorted()
    }

    @Test("A type is found in a file of its name, or of its name and a topic")
    func findsStrangers() {
        let files = [
            SourceFile("A/Bell.swift", "struct Bell {}\nfinal class Clock {}\nprivate enum Door {}\nstruct Echo {}"),
            SourceFile("Fan+Blade.swift", "package struct Fan {}"),
            SourceFile("1.swift", "let all: (Bell, Clock, Door, Fan)"),
            SourceFile("2.swift", "let one: (Bell, Door, Fan) = Clock() // Echo"),
        ]
        #expect(Self.strangers(in: files, from: 2) == ["Clock in A/Bell.swift"])
        #expect(Self.strangers(in: files, from: 3) == [])
    }

    /// A command without a name asks the Swift runtime for that of its type, which took half of the time in which `posthorn --version` starts.
    @Test("Every command says its name")
    func commandNames() {
        var count = 0
        for file in SourceTree.files {
            let configurations = file.text.matches(of: #/CommandConfiguration\(\s*(\w+)/#)
            for configuration in configurations {
                #expect(configuration.1 == "commandName", "\(file.path): give the command a commandName")
            }
            count += configurations.count
        }
        #expect(count > 100, "Commands are found.")
    }

    @Test("Few functions have three or more parameters without a label")
    func labels() {
        let unlabelled = SourceTree.files.reduce(0) { $0 + Self.unlabelled(in: $1.text) }
        #expect(unlabelled > 0, "Functions are found.")
        // One of them is Apple's: UTTypeCreatePreferredIdentifierForTag(_:_:_:).
        #expect(unlabelled <= 7, "Give the parameters of new functions labels.")
    }

    /// The number of functions and initialisers in a source text with three or more parameters without a label.
    static func unlabelled(in text: String) -> Int {
        let code = text.replacing(#/\/\/[^\n]*/#, with: "")
        return code.matches(of: #/\b(?:func\s+[^\s(<]+|init[?!]?)\s*(?:<[^>]*>)?\(/#).count { match in
            parameters(code[match.range.upperBound...]).count { parameter in
                parameter.contains(#/^\s*(?:@\w+\s+)*_\s/#)
            } >= 3
        }
    }

    /// The parameters up to the parenthesis that closes the list.
    private static func parameters(_ code: Substring) -> [Substring] {
        var depth = 1
        var start = code.startIndex
        var found: [Substring] = []
        for index in code.indices {
            switch code[index] {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            case "," where depth == 1:
                found.append(code[start..<index])
                start = code.index(after: index)
            default: break
            }
            if depth == 0 {
                found.append(code[start..<index])
                break
            }
        }
        return found
    }

    @Test(
        "Parameters without a label are counted in every spelling",
        arguments: [
            ("func a(_ b: Int, _ c: Int, _ d: Int) {}", 1), ("func a(_ b: Int, _ c: Int, d: Int) {}", 0),
            ("init(_ b: (Int, Int), _ c: [Int: Int], _ d: @escaping (Int, Int) -> Void) {}", 1),
            ("func a<T>(\n    _ b: T,\n    _ c: Int = f(1, 2),\n    _ d: Int\n) {}", 1),
            ("func a(_ b: Int, c: (_ x: Int, _ y: Int) -> Void) {}", 0), ("// func a(_ b: Int, _ c: Int, _ d: Int)", 0),
        ]
    )
    func counts(_ text: String, _ count: Int) { #expect(Self.unlabelled(in: text) == count) }
}
