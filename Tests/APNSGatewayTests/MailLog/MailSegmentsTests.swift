import Foundation
import TestSupport
import Testing

@testable import APNSGateway

@Suite("Files of the mail log")
struct MailSegmentsTests {
    private func read(_ folder: String) throws -> (frames: [[UInt8]], cutOff: Int) {
        var frames: [[UInt8]] = []
        let segments = try MailSegments(folder: folder) { frames.append($0) }
        return (frames, segments.cutOff)
    }

    private func add(_ frame: [UInt8], to segments: inout MailSegments) throws { try segments.append(frame.span) }

    private func path(_ number: Int, _ folder: String) -> String { folder + "/0000000\(number).log" }

    private let frames: [[UInt8]] = [[1, 2, 3], Array(repeating: 7, count: 1000), [9]]

    @Test("Appended records are read again, over several segments and several starts")
    func appends() async throws {
        try await withTemporaryPath { folder in
            for start in 0..<3 {
                var segments = try MailSegments(folder: folder) { _ in }
                try add(frames[start], to: &segments)
                if start == 1 { try segments.beginNext() }
            }
            #expect(try read(folder).frames == frames)
            #expect(FileManager.default.fileExists(atPath: path(2, folder)))
        }
    }

    @Test("Older segments go when the newest says all that they said")
    func removes() async throws {
        try await withTemporaryPath { folder in
            var segments = try MailSegments(folder: folder) { _ in }
            try add(frames[0], to: &segments)
            try segments.beginNext()
            try add(frames[1], to: &segments)
            try segments.removeOlder()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["00000002.log"])
            try add(frames[2], to: &segments)
            #expect(try read(folder).frames == Array(frames[1...]))
        }
    }

    @Test("A file that ends anywhere in a frame loses that frame and no other, and goes on from there")
    func torn() async throws {
        try await withTemporaryPath { folder in
            var ends: [Int] = []
            do {
                var segments = try MailSegments(folder: folder) { _ in }
                for frame in frames {
                    try add(frame, to: &segments)
                    ends.append(segments.size)
                }
            }
            let file = URL(filePath: path(1, folder))
            let whole = try Data(contentsOf: file)
            #expect(whole.count == ends.last)
            for size in Array(0..<80) + Array(stride(from: 80, to: whole.count, by: 31)) {
                try whole.prefix(size).write(to: file)
                let expected = Array(frames.prefix(ends.count { $0 <= size }))
                let found = try read(folder)
                #expect(found.frames == expected)
                #expect(found.cutOff == size - (ends.last { $0 <= size } ?? min(size, size < 20 ? 0 : 20)))
                var segments = try MailSegments(folder: folder) { _ in }
                try add([42], to: &segments)
                #expect(try read(folder).frames == expected + [[42]])
            }
        }
    }

    @Test("An octet that has changed ends the newest segment there")
    func changed() async throws {
        try await withTemporaryPath { folder in
            do {
                var segments = try MailSegments(folder: folder) { _ in }
                for frame in frames { try add(frame, to: &segments) }
            }
            let file = URL(filePath: path(1, folder))
            var data = try Data(contentsOf: file)
            data[data.count - 1] ^= 1
            try data.write(to: file)
            #expect(try read(folder).frames == Array(frames[..<2]))
        }
    }

    @Test("Damage before the newest segment is an error that says where, as does a file of another kind")
    func damage() async throws {
        try await withTemporaryPath { folder in
            do {
                var segments = try MailSegments(folder: folder) { _ in }
                try add(frames[0], to: &segments)
                try segments.beginNext()
            }
            let file = URL(filePath: path(1, folder))
            var data = try Data(contentsOf: file)
            data.removeLast()
            try data.write(to: file)
            #expect {
                try read(folder)
            } throws: {
                "\($0)".contains("00000001.log' is damaged at octet 20 of 38")
            }
            try Data("something else than a mail log".utf8).write(to: file)
            #expect {
                try read(folder)
            } throws: {
                "\($0)".contains("is not a mail log")
            }
        }
    }

    @Test("A disk that is full is an error with the system's own words")
    func full() async throws {
        try await withTemporaryPath { folder in
            // Every write to this device says that there is no space left.
            try FileManager.default.createSymbolicLink(
                atPath: path(1, folder),
                withDestinationPath: "/dev/full"
            )
            #expect {
                try read(folder)
            } throws: {
                "\($0)".contains("No space left on device")
            }
        }
    }
}
