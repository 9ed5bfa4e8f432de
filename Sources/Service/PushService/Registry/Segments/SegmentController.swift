package import PushModel
import Synchronization

/// Creates, lists and deletes the segments of apps.
package struct SegmentController: Sendable {
    /// The most segments of an app.
    package static let limit = 200

    let store: any AppStore
    let registry: Registry

    /// Creates or replaces a segment. When this returns, the change is on disk.
    ///
    /// - Throws: 1002, 1003, 1005 or 1009 for a rule that is none; 1003 beyond ``limit``.
    package func set(_ name: String, _ body: [UInt8], of app: App.ID) async throws -> Segment {
        let segment = try Segment(name: name, parsing: body)
        let known = registry.segments(of: app)
        guard known.count < Self.limit || known.contains(where: { $0.name.isSame(as: name) }) else {
            throw JPushError.badValue("The app has \(Self.limit) segments, which is the limit; delete one.")
        }
        let claim = try await registry.claimAttributes(for: [segment], of: app)
        defer { registry.release(claim, of: app) }
        try await store.setSegment(segment, of: app)
        registry.setSegment(segment, named: name, of: app)
        return segment
    }

    /// Returns the segments of an app by name.
    package func segments(of app: App.ID) -> [Segment] {
        registry.segments(of: app).sorted { ExactText($0.name) < ExactText($1.name) }
    }

    /// - Throws: 404 with code 1003 if the app has no such segment.
    package func segment(_ name: String, of app: App.ID) throws(JPushError) -> Segment {
        guard let segment = registry.segments(of: app).first(where: { $0.name.isSame(as: name) }) else {
            throw Self.absent(name)
        }
        return segment
    }

    /// - Throws: 404 with code 1003 if the app has no such segment.
    package func delete(_ name: String, of app: App.ID) async throws {
        guard !name.hasNUL, try await store.deleteSegment(name, of: app) else { throw Self.absent(name) }
        registry.setSegment(nil, named: name, of: app)
    }

    private static func absent(_ name: String) -> JPushError {
        JPushError(status: 404, code: 1003, message: "The app has no segment '\(name)'.")
    }
}

extension Registry {
    /// Returns the segments of an app, in no particular order.
    func segments(of app: App.ID) -> [Segment] {
        knownDevices(of: app)?.state.withLock { Array($0.segments.values) } ?? []
    }

    /// Returns the first of the names that is not a segment of the app.
    func unknownSegment(among names: [String], of app: App.ID) -> String? {
        let known = Set(exactly: segments(of: app).map(\.name))
        return names.first { !known.contains(ExactText($0)) }
    }
}
