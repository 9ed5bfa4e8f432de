import PushModel

extension PushAcceptor {
    /// Counts the devices that a push to an audience would find now. Nothing is stored.
    ///
    /// - Throws: ``JPushError`` for errors that the caller can fix.
    package func count(_ body: [UInt8], for app: App) async throws -> AudienceCounts {
        let request = try AudienceRequest(parsing: body)
        let targets =
            if let file = request.fileID { try await files.targets(file, of: [app.key.text]) } else { TargetList?.none }
        guard request.platforms.contains(.ios) else { return AudienceCounts() }
        let date = trustedTime.date
        if let targets { return registry.counts(targets, of: app.id, at: date) }
        return registry.counts(request.audience, of: app.id, at: date)
    }
}
