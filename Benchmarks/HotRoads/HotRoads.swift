import Dispatch
import Foundation
import NIOCore
import NIOPosix

/// Runs hot roads one after the other with fixed input, on one thread, for `Benchmarks/guard`.
///
/// `HotRoads --list` prints the roads; `HotRoads ROAD …` runs them. Outside callgrind it prints times, which are for a first look.
@main
struct HotRoads {
    // Not async: valgrind 3.19 cannot run the end of the main thread that the runtime would then wait with.
    static func main() {
        let names = CommandLine.arguments.dropFirst()
        if names.first == "--list" {
            for road in Road.all { print("\(road.name)\t\(road.unit)\t\(road.house)") }
            return
        }
        let roads = names.map { name in
            guard let road = Road.all.first(where: { $0.name == name }) else {
                end("There is no road \(name); HotRoads --list prints all.")
            }
            return road
        }
        // One thread does everything that does not block, so no scheduling decides how work is gathered.
        NIOSingletons.groupLoopCountSuggestion = 1
        NIOSingletons.blockingPoolThreadCountSuggestion = 1
        guard NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor() else {
            end("Tasks cannot run on the event loop with this version of Swift.")
        }
        let isOver = DispatchSemaphore(value: 0)
        Task.detached {
            do { for road in roads { try await road.run(Meter(road: road.name)) } } catch { end("\(error)") }
            isOver.signal()
        }
        isOver.wait()
    }

    private static func end(_ problem: String) -> Never {
        FileHandle.standardError.write(Data("HotRoads: \(problem)\n".utf8))
        exit(1)
    }
}
