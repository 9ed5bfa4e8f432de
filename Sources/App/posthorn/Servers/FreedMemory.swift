#if canImport(Glibc)
import CMalloc
#endif

/// The allocator's policy for freed memory.
enum FreedMemory {
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
