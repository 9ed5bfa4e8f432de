import CPortalFiles
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import NIOCore
import PushModel
import PushService

/// The values that a template shows, by name: whatever can be encoded. Nil hides a value of the same name further out.
struct PageValues: ExpressibleByDictionaryLiteral, Encodable {
    private(set) var json: JSONObject = [:]

    init(dictionaryLiteral values: (String, (any Encodable)?)...) {
        for (name, value) in values { self[name] = value }
    }

    /// Has the members of a value.
    init(of value: some Encodable) { json = JSONCoding.object(of: value) }

    subscript(_ name: String) -> (any Encodable)? {
        get { json[name] }
        set {
            // The framework of the emulated phones encodes an object as its text.
            let object = (newValue as? JSONObject).map { JSONValue.object($0) }
            json[name] = object ?? newValue.map { JSONCoding.json(of: $0) } ?? .null
        }
    }

    func encode(to encoder: any Encoder) { JSONValue.object(json).encode(to: encoder) }
}
