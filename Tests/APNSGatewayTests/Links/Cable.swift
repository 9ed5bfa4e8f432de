import NIOCore
import NIOPosix
import Synchronization

/// A cable between a device and a gateway that a test can pull: what is sent from then on is lost, and nobody hears of it.
///
/// Connections that were there look open at both ends, as they do when a device goes out of reach.
final class Cable: Sendable {
    private let listener: any Channel
    private let ends: Ends
    let port: Int

    private init(listener: any Channel, ends: Ends) {
        self.listener = listener
        self.ends = ends
        port = listener.localAddress?.port ?? 0
    }

    /// Lays a cable to a port of this machine.
    static func lay(to target: Int) async throws -> Cable {
        let group = MultiThreadedEventLoopGroup.singleton
        let ends = Ends()
        let listener = try await ServerBootstrap(group: group)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { near in
                ends.add(near)
                // One loop for both ends, so that their handlers know each other.
                return ClientBootstrap(group: near.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: target)
                    .flatMapThrowing { far in
                        ends.add(far)
                        try near.pipeline.syncOperations.addHandler(Strand(to: far, ends))
                        try far.pipeline.syncOperations.addHandler(Strand(to: near, ends))
                        for channel in [near, far] { channel.setOption(.autoRead, value: true).whenComplete { _ in } }
                    }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return Cable(listener: listener, ends: ends)
    }

    /// Nothing goes through any more, nor does the end of either side.
    func pull() { ends.state.withLock { $0.isPulled = true } }

    /// Removes the cable with its connections.
    func remove() async {
        try? await listener.close()
        for channel in ends.state.withLock(\.channels) { channel.close(promise: nil) }
    }

    fileprivate final class Ends: Sendable {
        struct State {
            var isPulled = false
            var channels: [any Channel] = []
        }

        let state = Mutex(State())

        var isPulled: Bool { state.withLock(\.isPulled) }

        func add(_ channel: any Channel) { state.withLock { $0.channels.append(channel) } }
    }

    private final class Strand: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let ends: Ends

        init(to other: any Channel, _ ends: Ends) {
            self.other = other
            self.ends = ends
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if !ends.isPulled { other.writeAndFlush(unwrapInboundIn(data), promise: nil) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            if !ends.isPulled { other.close(promise: nil) }
            context.fireChannelInactive()
        }
    }
}
