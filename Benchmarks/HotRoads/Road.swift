/// A path through the product that runs often enough for its cost to matter.
struct Road: Sendable {
    let name: String
    /// The unit that the counts are divided by.
    let unit: String
    /// Roads with the same setup run in one process.
    let house: String
    let run: @Sendable (Meter) async throws -> Void

    static let all =
        acceptRoads + importRoads + dispatchRoads + audienceRoads + registrationRoads + readRoads + gatewayRoads
        + clientRoads
}

/// An answer that a road did not expect. Its counts would mean nothing.
struct UnexpectedAnswer: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
