package dev.counterpoint.bus.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryEnd;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.Topic;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/// Makes up messages of every kind: extremes, all of Unicode, and nothing at all.
final class SampleMessages {
    private SampleMessages() {}

    static Arbitrary<Frame> frames() {
        var heads = Combinators.combine(ids(), ints(), longs(), ints()).as(FrameHead::new);
        var kinds = Arbitraries.of(FrameKind.class).filter(kind -> kind != FrameKind.UNKNOWN);
        return Combinators.combine(
                        heads, Arbitraries.of(Lane.class), kinds, ints(), bytes(), unknowns(), bytes(), formats())
                .as((head, lane, kind, message, body, unknown, proof, format) -> new Frame(
                        head.response,
                        head.attempt,
                        head.nonce,
                        head.seq,
                        lane,
                        kind,
                        message,
                        body,
                        unknown,
                        proof,
                        format));
    }

    private static Arbitrary<Integer> formats() {
        return Arbitraries.integers().between(1, Frame.NEWEST_FORMAT);
    }

    private record FrameHead(ResponseId response, int attempt, long nonce, int seq) {}

    static Arbitrary<Accepted> accepteds() {
        var heads =
                Combinators.combine(texts(), texts(), texts(), longs(), texts()).as(AcceptedHead::new);
        var sealed = Combinators.combine(bytes(), bytes(), bytes(), bytes()).as(List::of);
        return Combinators.combine(heads, longs(), roles(), flags(), flags(), bands(), sealed, formats())
                .as((head, deadline, readers, background, stored, band, bodies, format) -> new Accepted(
                        head.tenant,
                        head.key,
                        head.model,
                        head.at,
                        deadline,
                        readers,
                        background,
                        stored,
                        band,
                        new Accepted.SealedParts(bodies.get(0), bodies.get(1), bodies.get(2), bodies.get(3)),
                        head.gateway,
                        format));
    }

    private record AcceptedHead(String tenant, String key, String model, long at, String gateway) {}

    private static Arbitrary<Topic.Band> bands() {
        return Arbitraries.of(Topic.Band.class);
    }

    static Arbitrary<Fence> fences() {
        var keys = Arbitraries.maps(Arbitraries.of(ServiceRole.class), bytes());
        return Combinators.combine(texts(), keys, keys).as(Fence::new);
    }

    static Arbitrary<Delta> deltas() {
        var headers = Combinators.combine(texts(), texts().injectNull(0.3), texts().injectNull(0.3))
                .as(Delta.Header::new);
        var tokens = ints().array(int[].class).ofMaxSize(20);
        var likely = logprobs(Arbitraries.just(List.of()));
        var logprobs = logprobs(likely.list().ofMaxSize(3)).list().ofMaxSize(3);
        return Combinators.combine(headers.injectNull(0.5), tokens, texts(), flags(), logprobs)
                .as(Delta::new);
    }

    private static Arbitrary<Delta.TokenLogprob> logprobs(Arbitrary<List<Delta.TokenLogprob>> tops) {
        return Combinators.combine(texts(), bytes(), reals(), tops).as(Delta.TokenLogprob::new);
    }

    static Arbitrary<End> ends() {
        return Combinators.combine(
                        Arbitraries.of(End.Finish.class),
                        ints(),
                        ints(),
                        ints(),
                        ints(),
                        longs(),
                        Arbitraries.of(End.Reasoning.class),
                        texts().list().ofMaxSize(3))
                .as(End::new);
    }

    static Arbitrary<SuspectReport> suspects() {
        var findings = Arbitraries.of(SuspectReport.Finding.class);
        var asked = Combinators.combine(texts(), texts(), texts()).as(List::of);
        return Combinators.combine(ids(), asked, ints(), longs(), findings, flags(), texts().injectNull(0.2))
                .as((response, names, attempt, at, finding, ended, worker) -> new SuspectReport(
                        response, names.get(0), names.get(1), names.get(2), attempt, at, finding, ended, worker));
    }

    static Arbitrary<OwnerEnd> ownerEnds() {
        return Arbitraries.of(OwnerEnd.Reason.class).map(OwnerEnd::new);
    }

    static Arbitrary<SummarySentence> summaries() {
        return Combinators.combine(flags(), texts(), Arbitraries.of(SummaryTier.class))
                .as(SummarySentence::new);
    }

    static Arbitrary<SummaryEnd> summaryEnds() {
        return flags().map(SummaryEnd::new);
    }

    static Arbitrary<SummaryJob> summaryJobs() {
        return Combinators.combine(
                        Arbitraries.of(SummaryJob.Detail.class),
                        texts().list().ofMaxSize(4),
                        texts(),
                        Arbitraries.of(SummaryTier.class))
                .as(SummaryJob::new);
    }

    static Arbitrary<JobTicket> tickets() {
        var limits = Combinators.combine(roles(), longs(), longs()).as(TicketLimits::new);
        // An empty list for none: a generator of null does not pass as one of frames.
        var firsts = frames().list().ofMaxSize(1);
        return Combinators.combine(ids(), longs(), ints(), texts(), limits, formats(), firsts, unknowns())
                .as((response, offset, attempt, tenant, limit, format, first, unknown) -> new JobTicket(
                        response,
                        offset,
                        attempt,
                        tenant,
                        limit.rawReaders,
                        limit.deadline,
                        limit.passedOver,
                        format,
                        first.isEmpty() ? null : first.getFirst(),
                        attempt % 2 == 0,
                        unknown));
    }

    private record TicketLimits(Set<ServiceRole> rawReaders, long deadline, long passedOver) {}

    static Arbitrary<StopCommand> controls() {
        return Combinators.combine(ids(), ints(), Arbitraries.of(true, false)).as(StopCommand::new);
    }

    static Arbitrary<Heartbeat> beats() {
        var models = Combinators.combine(
                        texts(), texts(), ints(), ints(), ints(), texts().list().ofMaxSize(4))
                .as(Heartbeat.Model::new);
        var senders = texts().filter(sender -> !sender.isEmpty());
        var roles = Arbitraries.of(ServiceRole.class).injectNull(0.5);
        var inboxes = Combinators.combine(ints(), longs())
                .as(Heartbeat.InboxPartition::new)
                .list()
                .ofMaxSize(3);
        return Combinators.combine(
                        senders, models.injectNull(0.3), longs(), roles, longs(), inboxes, longs(), formats())
                .as(Heartbeat::new);
    }

    static Arbitrary<GenerationJob> jobs() {
        return SampleJobs.jobs();
    }

    static Arbitrary<ResponseId> ids() {
        return Combinators.combine(
                        Arbitraries.longs().between(0, (1L << 48) - 1),
                        Arbitraries.integers().between(0, 0xFFFF),
                        longs(),
                        longs())
                .as(ResponseId::new);
    }

    private static Arbitrary<Set<ServiceRole>> roles() {
        return Arbitraries.subsetOf(ServiceRole.values());
    }

    private static Arbitrary<UnknownFields> unknowns() {
        var fields = Combinators.combine(Arbitraries.integers().between(100, 200), longs(), bytes())
                .as((number, value, content) -> UnknownFieldSet.newBuilder()
                        .mergeField(
                                number,
                                UnknownFieldSet.Field.newBuilder()
                                        .addVarint(value)
                                        .addLengthDelimited(ByteString.copyFrom(content))
                                        .build())
                        .build());
        return Arbitraries.oneOf(Arbitraries.just(UnknownFields.NONE), fields.map(UnknownFields::new));
    }

    /// Whole characters of every plane; half a surrogate pair is no text and cannot cross the bus.
    static Arbitrary<String> texts() {
        var characters = Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.integers().between(' ', '~')),
                Tuple.of(1, Arbitraries.integers().between(0, 0x10FFFF)));
        return characters
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .map(Character::toString)
                .list()
                .ofMaxSize(30)
                .map(all -> String.join("", all));
    }

    static Arbitrary<byte[]> bytes() {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(40);
    }

    static Arbitrary<Boolean> flags() {
        return Arbitraries.of(true, false);
    }

    static Arbitrary<Integer> ints() {
        return Arbitraries.integers();
    }

    static Arbitrary<Long> longs() {
        return Arbitraries.longs();
    }

    static Arbitrary<Double> reals() {
        var odd =
                Arbitraries.of(Double.NaN, -0.0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.MIN_VALUE);
        return Arbitraries.oneOf(Arbitraries.doubles(), odd);
    }
}
