package dev.counterpoint.local;

import java.io.PrintStream;
import java.util.function.LongConsumer;

/// Shows how far the download of the demonstration model is: on a terminal in one line, else in a line each tenth.
final class ProgressLine implements LongConsumer {
    private final boolean terminal;
    private final long total;
    private final PrintStream out;
    private long next;

    ProgressLine(boolean terminal, long total, PrintStream out) {
        this.terminal = terminal;
        this.total = total;
        this.out = out;
    }

    @Override
    public void accept(long done) {
        if (done < next && done < total) {
            return;
        }
        next = done + total / (terminal ? 100 : 10);
        out.print((terminal ? "\r" : "") + "Downloading SmolLM2-135M-Instruct (Apache-2.0): " + megabytes(done) + " of "
                + megabytes(total) + " MB" + (terminal && done < total ? "" : "\n"));
        out.flush();
    }

    private static long megabytes(long bytes) {
        return Math.round(bytes / 1e6);
    }
}
