import Testing

@Suite("The container")
struct ContainerfileTests {
    /// The instructions of the image that is run, without those of the one in which it is built.
    private static func instructions() throws -> [(name: String, value: String)] {
        let text = try #require(SourceTree.text(of: "Containerfile")).replacing("\\\n", with: "")
        let all = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            return (name: String(words[0]), value: words.count > 1 ? String(words[1]) : "")
        }
        let last = try #require(all.lastIndex { $0.name == "FROM" })
        return Array(all[last...])
    }

    @Test("It runs as a user of its own, by number, who owns the volume in which it works")
    func userOfItsOwn() throws {
        let instructions = try Self.instructions()
        let user = try #require(instructions.last { $0.name == "USER" }).value
        let id = try #require(UInt32(user.split(separator: ":")[0]), "Clusters only believe a number.")
        #expect(id >= 10_000, "Users of the host begin at 1000.")
        let place = try #require(instructions.firstIndex { $0.name == "USER" })
        #expect(!instructions[place...].contains { ["RUN", "COPY", "ADD"].contains($0.name) })
        let volume = try #require(instructions.first { $0.name == "VOLUME" }).value
        #expect(instructions.first { $0.name == "WORKDIR" }?.value == volume)
        let made = instructions.prefix(place).filter { $0.name == "RUN" }.map(\.value).joined()
        #expect(made.contains("useradd --uid \(id) "))
        #expect(made.contains("install -d -m 700 -o posthorn -g posthorn \(volume)"))
    }
}
