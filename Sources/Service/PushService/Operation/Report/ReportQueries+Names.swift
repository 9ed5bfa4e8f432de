package import PushModel

/// The counts of notifications on the devices that now report one name, such as the app's version.
package struct NamedCounts: Equatable, Sendable {
    /// Nil for devices that sent none.
    let name: String?
    let counts: DeliveryCounts

    /// Returns the counts with the name as the member `key`.
    package func json(_ key: String) -> JSONValue {
        var members: JSONObject = [key: .orNull(name)]
        members.add(JSONCoding.object(of: counts))
        return .object(members)
    }
}

// Counts by what devices report now, such as the app's version. Messages of other apps are left out.
extension ReportQueries {
    /// Returns the counts of notifications by the app's version, the version of the most devices first.
    package func appVersions(of messages: [MessageID], app: App.ID) async throws -> [NamedCounts] {
        try await counts(of: messages, app: app) { registry.appVersions(of: $0, of: app) }
    }

    /// Returns the counts of notifications by language, the language of the most devices first.
    package func languages(of messages: [MessageID], app: App.ID) async throws -> [NamedCounts] {
        try await counts(of: messages, app: app) { registry.languages(of: $0, of: app) }
    }

    private func counts(
        of messages: [MessageID],
        app: App.ID,
        by names: (ArraySlice<DeviceOrdinal>) -> NamesOfDevices
    ) async throws -> [NamedCounts] {
        try await log.flush()
        var counts: [String?: DeliveryCounts] = [:]
        for message in messages {
            for reach in try await store.reach(of: message, app: app) where reach.kind == .send {
                add(reach, names(reach.ordinals[...]), to: &counts)
            }
        }
        return counts.sorted { ($1.value.target, $0.key ?? "") < ($0.value.target, $1.key ?? "") }
            .map { NamedCounts(name: $0.key, counts: $0.value) }
    }

    private func add(_ reach: ChunkReach, _ names: NamesOfDevices, to counts: inout [String?: DeliveryCounts]) {
        var byNumber: [UInt16: DeliveryCounts] = [:]
        for place in reach.ordinals.indices {
            var one = byNumber[names.number(at: place), default: DeliveryCounts()]
            one.target += 1
            one.sent += reach.sent.contains(place) ? 1 : 0
            one.received += reach.received.contains(place) ? 1 : 0
            one.displayed += reach.displayed.contains(place) ? 1 : 0
            one.clicked += reach.clicked.contains(place) ? 1 : 0
            byNumber[names.number(at: place)] = one
        }
        for (number, one) in byNumber {
            let name = names.names[number]
            counts[name] = (counts[name] ?? DeliveryCounts()) + one
        }
    }
}
