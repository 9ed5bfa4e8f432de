package import Foundation
package import PushModel

/// A timed sequence of faults with the seed of its random choices; it can be repeated exactly.
package struct FaultScript: Hashable, Sendable {
    /// The seed; if nil, the gateway draws one and reports it.
    package var seed: UInt64?
    /// The faults; their seconds count from the start of the script.
    package var faults: [Fault]
}

/// A script that was started.
package struct RunningScript: Hashable, Sendable {
    package let id: Int
    /// The seed in use: the same script with this seed and the same requests produces the same faults.
    package let seed: UInt64
    package let start: Date
    /// The ids of its faults, in their order.
    package let faults: [Int]
}

/// One execution of a fault.
package struct FaultRecord: Hashable, Sendable {
    /// The number of the record, counted from 1 without gaps over all faults of the gateway.
    package var number: Int
    package var date: Date
    /// The seconds since the fault was set, or since its script began.
    package var seconds: Double
    package var fault: Int
    /// The kind's JSON name.
    package var kind: String
    package var environment: APNSEnvironment
    /// The number of the connection; nil for a delivery.
    package var connection: Int?
    /// The apns-id as in the request.
    package var apnsID: String?
}

extension FaultScript {
    /// The seeds that every JSON library reads exactly.
    static let seeds: ClosedRange<Int64> = 0...(1 << 53)

    /// Reads `{"seed":42,"faults":[…]}`; the seed is optional.
    ///
    /// - Throws: ``JSONProblem`` with the key, what was found and what was expected.
    package init(json: JSONValue) throws(JSONProblem) {
        var json = try StrictJSONReader(json)
        let seed = try json.optional("seed", .integer(in: Self.seeds)).map { UInt64($0) }
        var faults: [Fault] = []
        for (place, value) in try json.need("faults", .array, orMissing: "an array of faults").enumerated() {
            faults.append(try Fault(json: value, at: "faults[\(place)]"))
        }
        try json.finish()
        self.init(seed: seed, faults: faults)
    }
}

extension ActiveFault {
    package var json: JSONObject {
        var object = JSONObject(present: ["id": id, "script": script])
        object.add(fault.json)
        // A script derives the seeds of its faults from its own, which is the one to record.
        object.add(present: ["seed": script == nil ? Int64(clamping: seed) : nil, "met": met, "carriedOut": carriedOut])
        return object
    }
}

extension RunningScript {
    package var json: JSONObject {
        JSONObject(present: ["id": id, "seed": Int64(clamping: seed), "start": start.iso8601, "faults": faults])
    }
}

extension FaultRecord {
    package var json: JSONObject {
        JSONObject(present: [
            "number": number, "at": date.iso8601, "seconds": seconds, "fault": fault, "kind": kind,
            "environment": environment, "connection": connection, "apns-id": apnsID,
        ])
    }
}
