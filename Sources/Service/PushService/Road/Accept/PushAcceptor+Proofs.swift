import PushModel
import Synchronization

// Custom messages, which go to links rather than to tokens: whoever has set an alias would read them.
extension PushAcceptor {
    /// Notes the devices that the audience of a push names by aliases for which nobody vouches, if the app's custom messages do not go to
    /// those. Notifications do: they go to the tokens of phones, and older versions of an app have set aliases without a proof.
    func withhold(_ request: PushRequest, from resolution: inout Resolution, file: TargetList?, of app: App) {
        guard app.aliases.policy != .anyone, request.linkMessage != nil, request.namesAliases(file) else { return }
        resolution.unproved = registry.unproved(among: resolution.linked, of: app.id)
    }

    /// Returns the target of a push of a batch with what ``withhold(_:from:file:of:)`` notes.
    func withholding(_ target: Registry.BatchTarget, of push: BatchPush.Head, _ app: App) -> Registry.BatchTarget {
        guard app.aliases.policy != .anyone, push.message != nil, case .alias = push.target else { return target }
        var resolution: Resolution
        switch target {
        case .device(let ordinal):
            resolution = Resolution()
            resolution.reachable = [ordinal]
        case .others(let others): resolution = others
        }
        resolution.unproved = registry.unproved(among: resolution.linked, of: app.id)
        return resolution.unproved.isEmpty ? target : .others(resolution)
    }
}

extension PushRequest {
    fileprivate func namesAliases(_ file: TargetList?) -> Bool {
        if case .aliases? = file { return true }
        guard case .filter(let filter) = audience else { return false }
        return !filter.aliases.isEmpty
    }
}

extension Registry {
    /// Returns those of the devices for whose alias the app's backend has not vouched.
    func unproved(among ordinals: [DeviceOrdinal], of app: App.ID) -> [DeviceOrdinal] {
        guard !ordinals.isEmpty, let devices = knownDevices(of: app) else { return [] }
        // A copy, as there may be many: the blocks are shared.
        let proved = devices.state.withLock(\.columns.flags.provedAlias)
        return ordinals.filter { !proved.contains(Int($0)) }
    }
}
