import Foundation
import PushModel
import PushService
import Testing

extension PushStoreContract {
    private static func file(
        _ id: String,
        of owner: String = "a",
        created: TimeInterval = 0,
        expires: TimeInterval = 3600,
        name: String? = nil
    ) -> AudienceFile {
        AudienceFile(
            id: id,
            owner: owner,
            kind: id == "alias" ? .alias : .registrationID,
            name: name,
            createdAt: start.addingTimeInterval(created),
            expiresAt: start.addingTimeInterval(expires),
            tellsExpiry: name != nil
        )
    }

    static let files = [
        Clause("A file is kept whole until its time is over, and belongs to its owner") { open in
            let store = try open()
            let file = file("alias", name: "别名 \"1\".txt")
            #expect(try await store.createFile(file, [0x61, 0, 0xFF], limit: 20))
            #expect(try await open().file("alias", of: ["a"], at: start) == file)
            #expect(try await store.file("alias", of: ["b", "a"], at: start) == file)
            #expect(try await store.file("alias", of: ["b"], at: start) == nil)
            #expect(try await store.file("other", of: ["a"], at: start) == nil)
            #expect(try await open().content(ofFile: "alias") == [0x61, 0, 0xFF])
            #expect(try await store.content(ofFile: "other") == nil)
            let end = start.addingTimeInterval(3600)
            #expect(try await store.file("alias", of: ["a"], at: end.addingTimeInterval(-1)) == file)
            #expect(try await store.file("alias", of: ["a"], at: end) == nil)
            #expect(try await store.files(of: "a", at: end) == [])
            #expect(try await !store.deleteFile("alias", of: "a", at: end))
        },
        Clause("Files are listed in the order of their creation, and deleted by their owner alone") { open in
            let store = try open()
            let files = [file("2", created: 1), file("1", created: 2), file("3", created: 2)]
            for file in files { #expect(try await store.createFile(file, [], limit: 20)) }
            #expect(try await store.createFile(file("4", of: "b"), [], limit: 20))
            #expect(try await store.files(of: "a", at: start) == files)
            #expect(try await !store.deleteFile("1", of: "b", at: start))
            #expect(try await store.deleteFile("1", of: "a", at: start))
            #expect(try await !store.deleteFile("1", of: "a", at: start))
            #expect(try await open().files(of: "a", at: start).map(\.id) == ["2", "3"])
        },
        Clause("An owner has so many files at once; those whose time is over do not count") { open in
            let store = try open()
            #expect(try await store.createFile(file("1", expires: 10), [], limit: 2))
            #expect(try await store.createFile(file("2"), [], limit: 2))
            #expect(try await !store.createFile(file("3", created: 9), [], limit: 2))
            #expect(try await store.createFile(file("4", of: "b"), [], limit: 2))
            #expect(try await store.createFile(file("5", created: 10), [], limit: 2))
            #expect(try await store.content(ofFile: "1") == nil, "It was thrown away.")
        },
    ]
}
