package dev.counterpoint.engine.chat;

import static java.util.Objects.requireNonNull;

import dev.counterpoint.engine.chat.WrittenOutput.Separation;
import dev.counterpoint.engine.chat.split.ModelPart;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What telling apart takes of the time of a delta.
public class SplitBenchmark {
    /// An output up to its answer.
    @State(Scope.Thread)
    public static class Reasoned {
        @Param("THINK")
        public String way = "THINK";

        private @Nullable WrittenOutput output;
        private @Nullable Separation separation;

        @Setup(Level.Trial)
        public void write() {
            output = WrittenOutput.of(WrittenOutput.Way.valueOf(way));
        }

        @Setup(Level.Invocation)
        public void reason() {
            var written = output();
            separation = written.begin();
            written.deltas()
                    .subList(0, written.answerFrom())
                    .forEach(delta -> separation().give(delta));
        }

        private WrittenOutput output() {
            return requireNonNull(output);
        }

        private Separation separation() {
            return requireNonNull(separation);
        }
    }

    /// An output whose next delta comes.
    @State(Scope.Thread)
    public static class Running {
        @Param("THINK")
        public String way = "THINK";

        private @Nullable WrittenOutput output;
        private @Nullable Separation separation;
        private int next;

        @Setup(Level.Trial)
        public void write() {
            output = WrittenOutput.of(WrittenOutput.Way.valueOf(way));
            next = 0;
        }
    }

    /// The delta with which the first word of the answer comes.
    @Benchmark
    public List<? extends ModelPart> firstAnswer(Reasoned reasoned) {
        var written = reasoned.output();
        return reasoned.separation().give(written.deltas().get(written.answerFrom()));
    }

    /// Any delta; before the first one all is made that an output needs.
    @Benchmark
    public List<? extends ModelPart> anyDelta(Running running) {
        var written = requireNonNull(running.output);
        if (running.separation == null || running.next == written.deltas().size()) {
            running.separation = written.begin();
            running.next = 0;
        }
        return running.separation.give(written.deltas().get(running.next++));
    }

    /// All that an output needs before its first delta.
    @Benchmark
    public Object begin(Running running) {
        return requireNonNull(running.output).begin();
    }
}
