package import PushModel

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
        var object: JSONObject = ["id": .integer(Int64(id))]
        object["script"] = script.map { .integer(Int64($0)) }
        for member in fault.json.members { object[member.key] = member.value }
        // A script derives the seeds of its faults from its own, which is the one to record.
        if script == nil { object["seed"] = .integer(Int64(clamping: seed)) }
        object["met"] = .integer(Int64(met))
        object["carriedOut"] = .integer(Int64(carriedOut))
        return object
    }
}

extension RunningScript {
    package var json: JSONObject {
        [
            "id": .integer(Int64(id)), "seed": .integer(Int64(clamping: seed)), "start": .string(start.iso8601),
            "faults": .array(faults.map { .integer(Int64($0)) }),
        ]
    }
}

extension FaultRecord {
    package var json: JSONObject {
        var object: JSONObject = [
            "number": .integer(Int64(number)), "at": .string(date.iso8601), "seconds": .double(seconds),
            "fault": .integer(Int64(fault)), "kind": .string(kind), "environment": .string(environment.rawValue),
        ]
        object["connection"] = connection.map { .integer(Int64($0)) }
        object["apns-id"] = apnsID.map { .string($0) }
        return object
    }
}
