/// The number of a node, unique among the nodes of a store; from 1.
package struct NodeID: RawRepresentable, Hashable, Comparable, Sendable {
    package var rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// No node.
    package static let nobody = NodeID(rawValue: 0)

    package static func < (left: NodeID, right: NodeID) -> Bool { left.rawValue < right.rawValue }
}

extension NodeID: CustomStringConvertible { package var description: String { "\(rawValue)" } }
