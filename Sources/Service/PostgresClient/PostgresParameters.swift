/// Parameters as libpq takes them, valid during a call of `withParameters`.
@unsafe struct PostgresParameters {
    var values: UnsafePointer<UnsafePointer<CChar>?>?
    var lengths: UnsafePointer<Int32>?
    /// 1 for each: the binary format.
    var formats: UnsafePointer<Int32>?
}

extension PostgresConnection {
    static func withParameters<Result>(
        _ values: [PostgresValue],
        _ body: (PostgresParameters) throws -> Result
    ) rethrows -> Result {
        // All values in one buffer, each at its offset.
        var bytes: [UInt8] = []
        var offsets: [Int?] = []
        var lengths: [Int32] = []
        for value in values {
            let start = bytes.count
            let isPresent = value.append(to: &bytes)
            offsets.append(isPresent ? start : nil)
            lengths.append(Int32(bytes.count - start))
        }
        // An empty value needs an address, too.
        bytes.append(0)
        let formats = [Int32](repeating: 1, count: values.count)
        return try unsafe bytes.withUnsafeBufferPointer { buffer in
            let start = unsafe UnsafeRawPointer(buffer.baseAddress)
            let pointers = unsafe offsets.map { offset in
                unsafe offset.flatMap { unsafe start?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return try unsafe pointers.withUnsafeBufferPointer { pointers in
                try unsafe lengths.withUnsafeBufferPointer { lengths in
                    try unsafe formats.withUnsafeBufferPointer { formats in
                        try unsafe body(
                            PostgresParameters(
                                values: pointers.baseAddress,
                                lengths: lengths.baseAddress,
                                formats: formats.baseAddress
                            )
                        )
                    }
                }
            }
        }
    }
}
