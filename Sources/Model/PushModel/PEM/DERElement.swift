/// One element of DER (ITU-T X.690): as much of it as private keys need.
struct DERElement {
    static let integer: UInt8 = 0x02
    static let octets: UInt8 = 0x04
    static let identifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30

    let tag: UInt8
    let content: ArraySlice<UInt8>

    /// Reads the first element and moves `bytes` behind it; nil if there is none.
    init?(from bytes: inout ArraySlice<UInt8>) {
        guard let tag = bytes.popFirst(), var length = bytes.popFirst().map(Int.init) else { return nil }
        if length > 0x7F {
            // No key has four gigabytes.
            let count = length & 0x7F
            guard (1...4).contains(count), bytes.count >= count else { return nil }
            length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(count)
        }
        guard bytes.count >= length else { return nil }
        self.tag = tag
        content = bytes.prefix(length)
        bytes = bytes.dropFirst(length)
    }

    /// The elements within this one; nil if it has something else.
    var elements: [DERElement]? {
        var rest = content
        var elements: [DERElement] = []
        while !rest.isEmpty {
            guard let element = DERElement(from: &rest) else { return nil }
            elements.append(element)
        }
        return elements
    }
}
