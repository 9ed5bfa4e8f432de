package import PushModel

extension PushAcceptor {
    /// Counts the devices that a push to an audience would find now. Nothing is stored.
    ///
    /// - Throws: ``JPushError`` for errors that the caller can fix.
    package func count(_ body: [UInt8], for app: App) async throws -> AudienceCounts {
        let request = try AudienceRequest(parsing: body)
        let targets =
            if let file = request.fileID { try await files.targets(file, of: [app.key.text]) } else { TargetList?.none }
        guard request.platforms.contains(.ios) else { return AudienceCounts() }
        if let segment = request.segment { return try await counts(segment, of: app) }
        if let targets { return registry.counts(targets, of: app.id, at: trustedTime.date) }
        return try await counts(request.audience, of: app)
    }

    /// Counts the devices of a segment, stored or not.
    ///
    /// - Throws: ``JPushError`` if an earlier push that it asks for is gone.
    package func counts(_ segment: Segment, of app: App) async throws -> AudienceCounts {
        let claim = try await registry.claimAttributes(for: [segment], of: app.id)
        defer { registry.release(claim, of: app.id) }
        let date = trustedTime.date
        let past = try await past.devices(for: segment.audience, of: app.id, at: date)
        return registry.counts(segment, of: app.id, at: date, past)
    }

    func counts(_ audience: Audience, of app: App) async throws -> AudienceCounts {
        let date = trustedTime.date
        return registry.counts(
            audience,
            of: app.id,
            at: date,
            try await past.devices(for: audience, of: app.id, at: date)
        )
    }
}
