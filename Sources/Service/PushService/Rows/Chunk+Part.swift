package import PushModel

extension Chunk {
    /// Returns the part of a batch's chunk for one of its pushes: a chunk with one device.
    package func part(at place: Int, of message: MessageID) -> Chunk {
        var part = Chunk(
            id: ID(message: message, number: 0),
            kind: kind,
            ordinals: OrdinalList([ordinals.ordinals[place]]),
            dueAt: dueAt,
            updatedAt: updatedAt
        )
        part.attempt = attempt
        part.cursor = cursor > place ? 1 : 0
        part.prepared = prepared > place ? 1 : 0
        if sent.contains(place) { part.sent.insert(0) }
        if settled.contains(place) { part.settled.insert(0) }
        if deferred.contains(place) { part.deferred.insert(0) }
        part.isDone = isDone || part.cursor == 1 || settled.contains(place)
        // The problem of the others does not apply to it.
        part.problem = cursor > place || !isOpen(place) ? nil : problem
        return part
    }
}
