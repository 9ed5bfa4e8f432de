#if canImport(Glibc)
import CMalloc
#endif

/// What the process does with memory that it has freed.
enum FreedMemory {
    /// Keeps some of it for what comes next.
    ///
    /// glibc gives a large piece back to the system as soon as it is free, and each request of a thousand pushes, which takes a
    /// few megabytes and frees them again, would have the system clear all of it anew: a fifth of what such a push costs.
    static func keep() {
        #if canImport(Glibc)
        // Setting one of them fixes all, so each is said. Bytes; what each heap may hold free at its end, and by how much it grows.
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
        mallopt(M_TOP_PAD, 1 << 20)
        // From here on a piece is the system's own business.
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        #endif
    }
}
