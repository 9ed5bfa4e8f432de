import Foundation
import PosthornXCTest
import TestSupport
import Testing
import XCTest

private let marker = "POSTHORN_FAILING_CASE"

/// Fails on purpose, if the environment says so: what ``PhoneTestCaseTests`` runs in a process of its own.
final class FailingPhoneCase: PhoneTestCase {
    func testTap() async throws {
        try XCTSkipUnless(ProcessInfo.processInfo.environment[marker] != nil, "This test fails on purpose.")
        let phone = TestPhone(name: "Ann's phone")
        await phone.tap("a1")
    }
}

@Suite("The base class of XCTest")
struct PhoneTestCaseTests {
    @Test("A tap on what is not there fails the case, with the story and the run file of its phone")
    func failure() async throws {
        try await withTemporaryFolder { folder in
            let process = Process()
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["PushDeviceTests.FailingPhoneCase/testTap"]
            process.environment = ProcessInfo.processInfo.environment.merging(
                [marker: "1", "POSTHORN_STORIES": folder.path]
            ) { $1 }
            let output = folder.appending(path: "output")
            #expect(FileManager.default.createFile(atPath: output.path, contents: nil))
            let handle = try FileHandle(forWritingTo: output)
            process.standardOutput = handle
            process.standardError = handle
            try process.run()
            try await eventually("the case has ended") { !process.isRunning }
            let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            #expect(process.terminationStatus == 1, "\(text)")
            #expect(text.contains("PhoneTestCaseTests.swift:14: error"), "\(text)")
            #expect(text.contains("Cannot tap a1: it is not on the screen."), "\(text)")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "output" }
            #expect(Set(files.map { URL(filePath: $0).pathExtension }) == ["txt", "json"], "\(text)")
        }
    }
}
