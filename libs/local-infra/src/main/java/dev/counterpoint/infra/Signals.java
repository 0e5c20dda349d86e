package dev.counterpoint.infra;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Sends what Java cannot: any signal, by the system's own `kill`.
public final class Signals {
    private Signals() {}

    /// @param signal without `SIG`
    /// @throws IllegalStateException when there is no such process, or it is not ours
    static void send(String signal, long pid) {
        if (!tell(signal, pid)) {
            throw new IllegalStateException("cannot send SIG" + signal + " to process " + pid);
        }
    }

    /// Sends it where that can be done: a process may end before.
    ///
    /// @param signal without `SIG`
    /// @return whether it was sent
    public static boolean tell(String signal, long pid) {
        return run("kill", "-" + signal, Long.toString(pid));
    }

    /// Runs a command.
    ///
    /// @return whether it succeeded
    static boolean run(String... command) {
        try {
            int status = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return status == 0;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during " + command[0], interrupted);
        }
    }
}
