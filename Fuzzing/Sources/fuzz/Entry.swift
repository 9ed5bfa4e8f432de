import Foundation

/// What libFuzzer calls: the target is chosen once, by `--target=`, which libFuzzer itself ignores.
nonisolated(unsafe) private var target: @Sendable ([UInt8]) -> Void = { _ in }

private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "server": fuzzServer, "client": fuzzClient, "hpack": fuzzHPACK, "roundtrip": fuzzRoundTrip,
    "json": fuzzJSON, "link": fuzzLink, "multipart": fuzzMultipart, "pkcs12": fuzzPKCS12, "devices": fuzzDevices,
    "profile": fuzzProfile, "registration": fuzzRegistration, "token": fuzzToken, "template": fuzzTemplate,
    "events": fuzzEvents,
]

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    let words = CommandLine.arguments
    guard let name = words.first(where: { $0.hasPrefix("--target=") })?.dropFirst("--target=".count),
        let chosen = targets[String(name)]
    else {
        FileHandle.standardError.write(Data("--target= must be one of \(targets.keys.sorted())\n".utf8))
        exit(2)
    }
    target = chosen
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}

/// An invariant: a finding if it does not hold.
func check(_ holds: Bool, _ rule: @autoclosure () -> String, line: Int = #line, file: String = #fileID) {
    if holds { return }
    FileHandle.standardError.write(Data("FINDING \(file):\(line): \(rule())\n".utf8))
    abort()
}
