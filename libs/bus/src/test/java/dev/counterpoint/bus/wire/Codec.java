package dev.counterpoint.bus.wire;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryEnd;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.job.SuspectReport;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;

/// How a kind of message is written, read and made up.
record Codec<T>(String name, Arbitrary<T> values, Function<T, byte[]> encoder, Function<byte[], T> decoder) {
    private static final List<Codec<?>> SUITE = List.of(
            new Codec<>("frame", SampleMessages.frames(), Frame::encode, Frame::decode),
            new Codec<>("accepted", SampleMessages.accepteds(), Accepted::encode, Accepted::decode),
            new Codec<>("fence", SampleMessages.fences(), Fence::encode, Fence::decode),
            new Codec<>("delta", SampleMessages.deltas(), Delta::encode, Delta::decode),
            new Codec<>("end", SampleMessages.ends(), End::encode, End::decode),
            new Codec<>("suspect-report", SampleMessages.suspects(), SuspectReport::encode, SuspectReport::decode),
            new Codec<>("owner-end", SampleMessages.ownerEnds(), OwnerEnd::encode, OwnerEnd::decode),
            new Codec<>(
                    "summary-sentence", SampleMessages.summaries(), SummarySentence::encode, SummarySentence::decode),
            new Codec<>("summary-end", SampleMessages.summaryEnds(), SummaryEnd::encode, SummaryEnd::decode),
            new Codec<>("summary-job", SampleMessages.summaryJobs(), SummaryJob::encode, SummaryJob::decode),
            new Codec<>("job-ticket", SampleMessages.tickets(), JobTicket::encode, JobTicket::decode),
            new Codec<>("generation-job", SampleMessages.jobs(), GenerationJob::encode, GenerationJob::decode),
            new Codec<>("stop-command", SampleMessages.controls(), StopCommand::encode, StopCommand::decode),
            new Codec<>("heartbeat", SampleMessages.beats(), Heartbeat::encode, Heartbeat::decode));

    static final List<Codec<?>> ALL = Stream.of(SUITE, DraftMessages.codecs(), AuditMessages.codecs())
            .<Codec<?>>flatMap(List::stream)
            .toList();

    /// One value of one kind, with its bytes.
    record Example<T>(Codec<T> codec, T value, byte[] bytes) {
        T decoded() {
            return codec.decoder.apply(bytes);
        }

        @Override
        public String toString() {
            return codec.name + " " + value;
        }
    }

    Arbitrary<Example<T>> examples() {
        return values.map(value -> new Example<>(this, value, encoder.apply(value)));
    }

    @Override
    public String toString() {
        return name;
    }
}
