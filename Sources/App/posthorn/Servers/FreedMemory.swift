import PushClock
import PushService
import ServiceLifecycle

#if canImport(Glibc)
import CMalloc
#endif

/// The allocator's policy for freed memory: it keeps some for the next allocations, and returns what is more to the system every minute.
struct FreedMemory: NamedService {
    private static let interval = Duration.seconds(60)
    /// The bytes of freed memory that are worth a look at all of it.
    private static let much = 8 << 20

    let store: any StoreInspector
    let clock: any CivilClock

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Cancelled means shutdown.
                try? await clock.sleep(for: Self.interval, tolerance: nil)
                await store.releaseMemory()
                Self.giveBack()
            }
        }
    }

    /// Returns freed memory to the system if there is much of it.
    ///
    /// The memory that an import of a million devices frees lies between memory in use, and glibc would keep it for good.
    private static func giveBack() {
        #if canImport(Glibc)
        if malloc_freed_bytes() > much { malloc_trim(0) }
        #endif
    }

    /// Keeps some freed memory for the next allocations.
    ///
    /// glibc returns a large block to the system as soon as it is free. Each request of a thousand pushes allocates and frees a
    /// few megabytes, which the system would have to clear again every time: a fifth of the cost of such a push.
    static func keep() {
        #if canImport(Glibc)
        // Setting one turns off automatic tuning of all, so all are set. In bytes: the free memory that a heap keeps at its end,
        // and the amount that it grows by.
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
        mallopt(M_TOP_PAD, 1 << 20)
        // Blocks of at least this size come directly from the system.
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        #endif
    }
}
