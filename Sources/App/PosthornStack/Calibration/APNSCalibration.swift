import APNSGateway
import APNSProvider
import Foundation
package import Logging
import PushClock
package import PushModel

/// One of the two sides of a comparison.
package protocol CalibratedSide: Sendable {
    /// Returns what the side does in a row.
    ///
    /// - Throws: ``CalibratedServer/Silence`` if it does nothing.
    func observe(_ row: APNSCalibrationRow) async throws(CalibratedServer.Silence) -> APNSObservation
    /// Ends the comparison.
    func leave() async
}

/// The comparison of an APNs with a gateway of ours, row by row.
package struct APNSCalibration: Sendable {
    /// A reason why the comparison cannot go on.
    package struct Obstacle: Error, CustomStringConvertible {
        package var description: String
    }

    /// The largest number of pushes that the device of the token may get.
    package static let mostAccepted = 10
    /// The number of rows without an answer, one after the other, after which the comparison ends.
    private static let mostSilences = 3

    private let theirs: CalibratedServer
    private let ours: any CalibratedSide

    package init(theirs: CalibratedServer, ours: any CalibratedSide) {
        self.theirs = theirs
        self.ours = ours
    }

    /// Returns the rows of the table for which everything is there.
    package static func rows(for identity: CalibratedServer.Identity) -> [APNSCalibrationRow] {
        APNSCalibrationRow.all.filter { row in
            switch (row.needs, identity.credential) {
            case (.nothing, _), (.key, .key), (.certificate, .certificate): true
            case (.key, _), (.certificate, _): false
            case (.token, _), (.refusedToken, _): identity.device != nil
            case (.otherToken, _): identity.other != nil
            }
        }
    }

    /// Compares the rows that the report has not decided yet, after a push that shows whether the other side is an APNs. `decide` is
    /// called with each row and the report with it.
    ///
    /// - Throws: ``Obstacle``; `CancellationError` when the task is cancelled.
    package func run(
        _ rows: [APNSCalibrationRow],
        into report: inout CalibrationReport,
        decide: (CalibrationReport.Row, CalibrationReport) throws -> Void
    ) async throws {
        var first: APNSObservation?
        do { first = try await theirs.observe(APNSCalibrationRow([], on: .fresh)) } catch {
            try Task.checkCancellation()
            throw Obstacle(description: error.description)
        }
        if let obstacle = first?.obstacle { throw Obstacle(description: obstacle) }
        let done = Set(report.rows.filter { $0.verdict != .undecided }.map(\.name))
        var silences = 0
        var accepted = 0
        for row in rows where !done.contains(row.name) {
            let result: CalibrationReport.Row
            do throws(CalibratedServer.Silence) {
                guard row.needs != .token || accepted < Self.mostAccepted else {
                    throw .init(description: "", note: "\(accepted) pushes were accepted already")
                }
                let seen = try await theirs.observe(row)
                if seen[.status] == "200" { accepted += 1 }
                result = APNSObservation.compare(row.name, theirs: seen, ours: try await ours.observe(row))
                silences = 0
            } catch {
                try Task.checkCancellation()
                silences += error.description.isEmpty ? 0 : 1
                guard silences < Self.mostSilences else { throw Obstacle(description: error.description) }
                result = .init(undecided: row.name, because: error.note)
            }
            try Task.checkCancellation()
            report.add(result)
            try decide(result, report)
        }
        await theirs.leave()
        await ours.leave()
    }
}

extension GatewayNode {
    /// Starts a gateway to compare an APNs with: strict, as Apple describes it, with the topic as the only one of its team.
    package static func forCalibration(
        folder: String,
        topic: String,
        isStrict: Bool = true,
        logger: Logger
    ) async throws -> GatewayNode {
        let node = try await start(
            folder: folder,
            mail: .memory,
            configuration: GatewayServer.Configuration { $0.isStrict = isStrict },
            clock: SystemClock(),
            sink: nil,
            logger: logger
        )
        node.server.gateway.setBundleIDs([topic], ofTeam: teamID)
        return node
    }

    /// The counterpart of an identity at this gateway: a credential of the same kind, the same topic, and tokens if it has any.
    package func counterpart(
        of identity: CalibratedServer.Identity,
        in environment: APNSEnvironment
    ) throws -> CalibratedServer.Identity {
        var own = identity
        switch identity.credential {
        case .key:
            own.credential = .key(try APNSSigningKey(p8: key.p8, keyID: key.id, teamID: key.teamID))
        case .certificate:
            let files = try DeveloperFiles(bundleID: identity.topic, authority: authority, at: Date())
            if let certificate = files.certificates[environment] { own.credential = .certificate(certificate) }
        }
        func token(_ environment: APNSEnvironment) -> String {
            server.gateway.issueToken(topic: identity.topic, environment: environment).hexadecimal
        }
        own.endpoint = environment == .development ? route.development : route.production
        if own.device != nil { own.device = token(environment) }
        if own.other != nil { own.other = token(environment == .development ? .production : .development) }
        return own
    }
}
