package dev.counterpoint.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Sends what Java cannot: any signal, by the system's own `kill`.
final class Signals {
    private Signals() {}

    static void send(String signal, long pid) {
        try {
            int status = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("cannot send SIG" + signal + " to process " + pid);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending SIG" + signal, interrupted);
        }
    }
}
