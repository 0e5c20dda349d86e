package dev.counterpoint.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// One process of the suite, which can be started any number of times. [#start] and [#stop] are called by one
/// thread at a time.
sealed interface SuitePart permits PostgresPart, ProgramPart {
    /// Short and unique: `gateway-1`.
    String name();

    /// Where it listens, for people.
    String address();

    Path log();

    /// Starts it and returns its process.
    ///
    /// @throws IllegalStateException when that fails
    ProcessHandle start();

    /// Waits until it can be used.
    ///
    /// @throws IllegalStateException with the end of its log when it ends or takes too long
    void awaitReady(Duration limit);

    /// The misconfigurations that it reports now, each with its code.
    default List<String> misconfigurations() {
        return List.of();
    }

    /// Ends it in order, or the hard way when that takes too long; nothing happens when it does not run.
    void stop();
}
