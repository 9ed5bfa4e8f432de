package import PushModel

// Tags and aliases, which many devices share.
extension DeviceController {
    /// The number of devices changed in one transaction when a tag is deleted; other writes run in between.
    private static let step = 1000

    /// Returns the app's tags, sorted, up to the limit of a list.
    package func tags(of app: App.ID) -> [String] { registry.tags(of: app, limit: JPushLimits.tagsListed) }

    /// Returns whether a device has a tag.
    ///
    /// - Throws: 7002 for a registration id that no device of the app has.
    package func has(_ registrationID: String, tag: String, of app: App.ID) throws(JPushError) -> Bool {
        registry.has(try id(registrationID, of: app), tag: tag)
    }

    /// Adds a tag to devices and removes it from others in one transaction; a device in both lists has it afterwards.
    ///
    /// - Throws: 7002 for an invalid tag, or a device or an app that would have too many; 7013 or 7002 for registration ids that no device of
    ///   the app has. Then nothing has changed.
    package func change(tag: String, of app: App.ID, _ change: MembershipChange) async throws {
        let tag = try JPushLimits.deviceTag(tag, "tag")
        var named: Set<ExactText> = []
        let all = (change.remove + change.add).filter { named.insert(ExactText($0)).inserted }
        let ordinals = try ids(all, of: app)
        let adding = Set(try ids(change.add, of: app))
        let kept = change.add.isEmpty ? [] : [tag]
        let claim = try claimTags(kept, of: app)
        defer { registry.release(claim) }
        let changed = try await store.updateDevices(ordinals, of: app, keepingTags: kept) { device in
            let isAdded = adding.contains(device.id.ordinal)
            guard device.tags.contains(where: { $0.isSame(as: tag) }) != isAdded else { return }
            let edit = isAdded ? TagEdit.edit(remove: [], add: [tag]) : .edit(remove: [tag], add: [])
            device.tags = try edit.tags(after: device.tags)
        }
        registry.add(kept, of: app)
        registry.apply(changed)
    }

    /// Removes a tag from all devices of these platforms, and forgets it. An unknown tag is not an error.
    ///
    /// This happens in steps: an interrupted deletion is completed by repeating the call.
    package func deleteTag(_ tag: String, of app: App.ID, platforms: Set<Platform>) async throws {
        // No device has a tag with a U+0000.
        guard platforms.contains(.ios), !tag.hasNUL else { return }
        let ordinals = registry.devices(withTag: tag, of: app)
        for step in ordinals.slices(of: Self.step) {
            let changed = try await store.updateDevices(Array(step), of: app, keepingTags: []) { device in
                device.tags.removeAll { $0.isSame(as: tag) }
            }
            registry.apply(changed)
        }
        try await store.forgetTag(tag, of: app)
        registry.forget(tag, of: app)
    }

    /// Removes an alias from all devices of these platforms.
    package func deleteAlias(_ alias: String, of app: App.ID, platforms: Set<Platform>) async throws {
        guard platforms.contains(.ios) else { return }
        try await unbind(alias, from: registry.devices(withAlias: alias, of: app).map(\.ordinal), of: app)
    }

    /// Removes an alias from the named devices that have it.
    ///
    /// - Throws: 7013 or 7002 for registration ids that no device of the app has. Then nothing has changed.
    package func change(alias: String, of app: App.ID, _ change: MembershipChange) async throws {
        try await unbind(alias, from: try ids(change.remove, of: app), of: app)
    }

    private func unbind(_ alias: String, from ordinals: [DeviceOrdinal], of app: App.ID) async throws {
        guard !ordinals.isEmpty else { return }
        let changed = try await store.updateDevices(ordinals, of: app, keepingTags: []) { device in
            device.lose(alias)
        }
        registry.apply(changed)
    }
}
