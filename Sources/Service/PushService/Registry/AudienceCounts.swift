package import Foundation
package import PushModel
import Synchronization

/// The numbers of devices of an audience, by what a notification would meet there. Each device counts once.
package struct AudienceCounts: Hashable, Sendable {
    /// Devices that a notification to the production environment can reach.
    package var production = 0
    /// Devices that a notification to the development environment can reach.
    package var development = 0
    package var withoutToken = 0
    /// Devices with a token that APNs has refused.
    package var refused = 0
    /// Devices on which push is switched off, whatever else applies.
    package var stopped = 0

    package var devices: Int { production + development + withoutToken + refused + stopped }
}

extension AudienceQuery {
    /// Counts the devices, 64 at a time; no list of them is made.
    func counts() -> AudienceCounts {
        var counts = AudienceCounts()
        if let named {
            for ordinal in named where includes(ordinal) {
                counts.add(1 << UInt64(ordinal & 63), ofWord: Int(ordinal >> 6), flags)
            }
            return counts
        }
        var members = DeviceBits(all: true)
        for block in flags.active.blocks.indices where answer(block: block, into: &members) {
            let wanted = members.words.span
            for index in wanted.indices where wanted[index] != 0 {
                counts.add(wanted[index], ofWord: block * DeviceBits.wordCount + index, flags)
            }
        }
        return counts
    }
}

extension AudienceCounts {
    /// Adds those of 64 devices that are in the audience, one bit each.
    fileprivate mutating func add(_ members: UInt64, ofWord index: Int, _ flags: DeviceFlags) {
        let all = members & flags.active.word(index)
        guard all != 0 else { return }
        let off = flags.stoppedCount > 0 ? all & flags.stopped.word(index) : 0
        let on = all & ~off
        let usable = on & flags.withToken.word(index)
        let unusable = on & ~usable
        let refusedOnes = flags.refusedCount > 0 ? unusable & flags.refused.word(index) : 0
        let ofProduction = usable & flags.production.word(index)
        production += ofProduction.nonzeroBitCount
        development += (usable & ~ofProduction).nonzeroBitCount
        refused += refusedOnes.nonzeroBitCount
        withoutToken += (unusable & ~refusedOnes).nonzeroBitCount
        stopped += off.nonzeroBitCount
    }
}

extension Registry {
    /// Counts the devices of an audience.
    package func counts(
        _ audience: Audience,
        of app: App.ID,
        at date: Date,
        _ past: PastDevices = PastDevices()
    ) -> AudienceCounts {
        question(audience, of: app, at: date, past)?.counts() ?? AudienceCounts()
    }

    /// Counts the devices of a segment, stored or not.
    func counts(_ segment: Segment, of app: App.ID, at date: Date, _ past: PastDevices) -> AudienceCounts {
        let query = knownDevices(of: app)?.state.withLock { state in
            state.columns.renewActivity(at: date)
            var query = AudienceQuery(state.columns)
            query.segments = [SegmentQuery(segment, state.columns, at: date, past: past, marksNames: false)]
            return query
        }
        guard var query else { return AudienceCounts() }
        query.markNames()
        return query.counts()
    }

    /// Counts the devices that a file names.
    package func counts(_ targets: TargetList, of app: App.ID, at date: Date) -> AudienceCounts {
        question(targets, of: app, at: date)?.counts() ?? AudienceCounts()
    }
}
