import NIOCore

/// A connection that a provider has opened, as the answering side may steer it.
package final class APNSServerConnection: Sendable {
    private let channel: any Channel

    init(channel: any Channel) { self.channel = channel }

    /// The address of the other side, for a log.
    package var peer: String { channel.remoteAddress?.description ?? "unknown" }

    /// Sends GOAWAY. Streams above `lastStreamID` are forgotten, the others are still answered.
    ///
    /// * `lastStreamID`: nil for the highest there can be: everything that has arrived is answered.
    package func goAway(lastStreamID: Int? = nil, errorCode: Int = 0, debugData: [UInt8] = []) {
        let wish = ServerHandler.GoAway(lastStreamID: lastStreamID, errorCode: errorCode, debugData: debugData)
        channel.eventLoop.execute { self.channel.pipeline.triggerUserOutboundEvent(wish, promise: nil) }
    }

    /// Resets one stream without an answer, as the real service does not but other servers do.
    package func reset(streamID: Int, errorCode: Int) {
        let wish = ServerHandler.Reset(streamID: streamID, errorCode: errorCode)
        channel.eventLoop.execute { self.channel.pipeline.triggerUserOutboundEvent(wish, promise: nil) }
    }

    /// Announces another MAX_CONCURRENT_STREAMS.
    package func setStreamLimit(_ limit: Int) {
        channel.eventLoop.execute {
            self.channel.pipeline.triggerUserOutboundEvent(ServerHandler.StreamLimit(limit: limit), promise: nil)
        }
    }

    /// Sends GOAWAY with `{"reason":"Shutdown"}`, answers what has arrived, then closes.
    package func shutDown() {
        channel.eventLoop.execute {
            self.channel.pipeline.triggerUserOutboundEvent(ServerHandler.ShutDown(), promise: nil)
        }
    }

    /// Closes at once, in the middle of whatever goes on.
    package func close() { channel.close(promise: nil) }

    func waitUntilClosed() async { try? await channel.closeFuture.get() }
}
