package dev.counterpoint.bus.wire;

import com.google.protobuf.ByteString;
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
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.ReasoningBond;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The messages of [MessageGoldenTest]. Sealed bodies are random, so frames carry a stand-in for theirs.
final class MessageGoldens {
    private static final ResponseId RESPONSE =
            new ResponseId(1_795_168_800_000L, 7, 0x0123456789abcdefL, 0xfedcba9876543210L);
    private static final long NONCE = 0x8000_0000_0000_0001L;
    private static final long DEADLINE = 1_795_169_400_000L;
    private static final byte[] SEALED = "sealed".getBytes(StandardCharsets.UTF_8);

    private static final List<MessageGolden> SUITE = List.of(
            frame("frame-accepted", new Frame(RESPONSE, 1, 0, 0, Lane.CONTROL, FrameKind.ACCEPTED, 0, SEALED, none())),
            frame("frame-reissue", Frame.decision(RESPONSE, 2, FrameKind.REISSUE, new byte[0])),
            frame("frame-fence", new Frame(RESPONSE, 2, NONCE, 0, Lane.CONTROL, FrameKind.FENCE, 0, SEALED, none())),
            frame("frame-delta", new Frame(RESPONSE, 2, NONCE, 300, Lane.VISIBLE, FrameKind.DELTA, 4, SEALED, none())),
            frame(
                    "frame-delta-reasoning",
                    new Frame(RESPONSE, 2, NONCE, 1, Lane.REASONING, FrameKind.DELTA, 0, SEALED, none())),
            frame(
                    "frame-sealed-reasoning",
                    new Frame(RESPONSE, 2, NONCE, 2, Lane.VISIBLE, FrameKind.SEALED_REASONING, 0, SEALED, none())),
            frame("frame-progress", Frame.sign(RESPONSE, 2, NONCE, FrameKind.PROGRESS)),
            frame("frame-handover", Frame.sign(RESPONSE, 2, NONCE, FrameKind.HANDOVER)),
            frame("frame-end", new Frame(RESPONSE, 2, NONCE, 301, Lane.VISIBLE, FrameKind.END, 0, SEALED, none())),
            frame(
                    "frame-owner-end",
                    Frame.decision(RESPONSE, 3, FrameKind.OWNER_END, new OwnerEnd(OwnerEnd.Reason.CANCELLED).encode())),
            frame(
                    "frame-summary",
                    new Frame(RESPONSE, 2, NONCE, 5, Lane.SUMMARY, FrameKind.SUMMARY, 3, SEALED, none())),
            frame(
                    "frame-summary-end",
                    new Frame(RESPONSE, 2, NONCE, 6, Lane.SUMMARY, FrameKind.SUMMARY_END, 3, SEALED, none())),
            frame("frame-summary-abandoned", Frame.decision(RESPONSE, 2, FrameKind.SUMMARY_ABANDONED, new byte[0])),
            frame("frame-steer", new Frame(RESPONSE, 1, NONCE, 0, Lane.CONTROL, FrameKind.STEER, 0, SEALED, none())),
            accepted(new byte[0], Topic.Band.NORMAL, "accepted"),
            accepted(new byte[0], Topic.Band.LOW, "accepted-low-band"),
            accepted(SEALED, Topic.Band.NORMAL, "accepted-with-summary-and-audit"),
            fence(),
            golden("delta", delta(), delta().encode(), Delta::decode),
            end(),
            golden("suspect-report", suspect(null), suspect(null).encode(), SuspectReport::decode),
            golden(
                    "suspect-report-worker",
                    suspect("worker-1"),
                    suspect("worker-1").encode(),
                    SuspectReport::decode),
            endWithUndeclaredCalls(),
            ownerEnd(),
            crashed(),
            golden("generation-job", job(), job().encode(), GenerationJob::decode),
            jobInAConversation(),
            jobWithABond(),
            jobWithAGrammar(),
            jobWithDefaults(),
            jobWithOptions(),
            retelling(),
            ticket(),
            golden("job-ticket-from", dispatched(), dispatched().encode(), JobTicket::decode),
            golden("job-ticket-with-frame-0", together(), together().encode(), JobTicket::decode),
            golden("job-ticket-resent", resent(), resent().encode(), JobTicket::decode),
            stop("stop-command", new StopCommand(RESPONSE, Integer.MAX_VALUE)),
            stop("stop-command-steered", StopCommand.atSteer(RESPONSE)),
            golden("summary-sentence", summary(), summary().encode(), SummarySentence::decode),
            golden("summary-sentence-described", described(), described().encode(), SummarySentence::decode),
            golden("summary-sentence-written", written(), written().encode(), SummarySentence::decode),
            golden("summary-end", new SummaryEnd(true), new SummaryEnd(true).encode(), SummaryEnd::decode),
            golden("summary-job", summaryJob(), summaryJob().encode(), SummaryJob::decode),
            golden("summary-job-written", writtenJob(), writtenJob().encode(), SummaryJob::decode),
            golden("heartbeat-worker", beat(), beat().encode(), Heartbeat::decode),
            golden("heartbeat-worker-inbox", inboxBeat(), inboxBeat().encode(), Heartbeat::decode),
            golden("heartbeat-audit", auditBeat(), auditBeat().encode(), Heartbeat::decode),
            golden("heartbeat-gateway", gatewayBeat(1), gatewayBeat(1).encode(), Heartbeat::decode),
            golden("heartbeat-format-2", gatewayBeat(2), gatewayBeat(2).encode(), Heartbeat::decode),
            golden("job-ticket-format-2", binary(), binary().encode(), JobTicket::decode),
            binaryAccepted(),
            frame(
                    "frame-reissue-format-2",
                    Frame.decision(RESPONSE, 2, FrameKind.REISSUE, new byte[0]).in(2)),
            frame(
                    "frame-delta-format-2",
                    new Frame(RESPONSE, 2, NONCE, 300, Lane.VISIBLE, FrameKind.DELTA, 4, SEALED, none())
                            .in(2)
                            .withProof(SEALED)));

    static final List<MessageGolden> ALL = Stream.of(SUITE, DraftMessages.goldens(), AuditMessages.goldens())
            .flatMap(List::stream)
            .toList();

    private MessageGoldens() {}

    private static UnknownFields none() {
        return UnknownFields.NONE;
    }

    private static MessageGolden golden(String name, Object message, byte[] bytes, Function<byte[], ?> decoder) {
        return new MessageGolden(name, message, bytes, decoder);
    }

    private static MessageGolden frame(String name, Frame frame) {
        return golden(name, frame, frame.encode(), Frame::decode);
    }

    private static MessageGolden binaryAccepted() {
        var accepted = accepted(SEALED, Topic.Band.NORMAL, 2);
        return golden("accepted-format-2", accepted, accepted.encode(), Accepted::decode);
    }

    private static MessageGolden accepted(byte[] sealed, Topic.Band band, String name) {
        var accepted = accepted(sealed, band, 1);
        return golden(name, accepted, accepted.encode(), Accepted::decode);
    }

    private static Accepted accepted(byte[] sealed, Topic.Band band, int format) {
        return new Accepted(
                "tenant-ä",
                "key-1",
                "openai/gpt-oss-20b",
                RESPONSE.acceptedAtMillis(),
                DEADLINE,
                Set.of(ServiceRole.GATEWAY, ServiceRole.AUDIT),
                true,
                true,
                band,
                new Accepted.SealedParts(SEALED, SEALED, sealed, sealed),
                "",
                format);
    }

    private static MessageGolden fence() {
        var fence = new Fence("worker-1", Map.of(ServiceRole.GATEWAY, SEALED), Map.of(ServiceRole.WORKER, SEALED));
        return golden("fence", fence, fence.encode(), Fence::decode);
    }

    private static Delta delta() {
        var likely = new Delta.TokenLogprob("Hi", new byte[] {72, 105}, -1.5, List.of());
        return new Delta(
                new Delta.Header("commentary", "functions.get_weather", "json"),
                new int[] {200_005, 0, 201_087},
                "Grüße \uD83C\uDF0D",
                true,
                List.of(new Delta.TokenLogprob("\uFFFD", new byte[] {-16, -97}, -0.25, List.of(likely))));
    }

    private static MessageGolden end() {
        var end = new End(End.Finish.CONTEXT_FULL, 131_072, 1, 2, 3, 0);
        return golden("end", end, end.encode(), End::decode);
    }

    private static MessageGolden endWithUndeclaredCalls() {
        var calls = List.of("rm_rf", "");
        var end = new End(End.Finish.CONTENT_FILTER, 20, 0, 5, 3, 0, End.Reasoning.TOLD, calls);
        return golden("end-undeclared-calls", end, end.encode(), End::decode);
    }

    private static MessageGolden ownerEnd() {
        var end = new OwnerEnd(OwnerEnd.Reason.NOT_QUEUED);
        return golden("owner-end", end, end.encode(), OwnerEnd::decode);
    }

    private static MessageGolden crashed() {
        var end = new OwnerEnd(OwnerEnd.Reason.CRASHED_WORKER);
        return golden("owner-end-crashed", end, end.encode(), OwnerEnd::decode);
    }

    private static SuspectReport suspect(@Nullable String worker) {
        return new SuspectReport(
                RESPONSE,
                "key-1",
                "tenant-ä",
                "openai/gpt-oss-20b",
                2,
                RESPONSE.acceptedAtMillis(),
                SuspectReport.Finding.ENGINE_HUNG,
                true,
                worker);
    }

    private static GenerationJob job() {
        var sampling = new GenerationJob.Sampling(
                0.7, 0.9, -2, 2, Long.MIN_VALUE, 0, List.of("stop", "\n"), Map.of(201_087, -100.0));
        return new GenerationJob(
                List.of(
                        new PromptItem.Instructions("Be brief."),
                        new PromptItem.User("Weather in Zürich?"),
                        new PromptItem.Reasoning("They ask for the weather."),
                        new PromptItem.Sealed("c2VhbGVk"),
                        new PromptItem.Assistant("Looking.", true),
                        new PromptItem.Call("call_1", "get_weather", "{\"city\":\"Zürich\"}"),
                        new PromptItem.CallOutput("call_1", "get_weather", "")),
                List.of(new GenerationJob.FunctionTool("get_weather", "Tells it", "{\"type\":\"object\"}", true)),
                new GenerationJob.ToolChoice(GenerationJob.ToolChoice.Mode.FUNCTION, "get_weather"),
                "high",
                "2026-11-21",
                new GenerationJob.ResponseFormat("answer", "How it looks", "{\"type\":\"object\"}", true),
                sampling,
                4_096,
                GenerationJob.ReasoningTerms.of("tenant|model|conversation"));
    }

    private static MessageGolden jobInAConversation() {
        var terms = new GenerationJob.ReasoningTerms("tenant|project|model", "resp_1", "resp_2", 0, ReasoningBond.NONE);
        var job = job().with(terms);
        return golden("generation-job-terms", job, job.encode(), GenerationJob::decode);
    }

    private static MessageGolden jobWithABond() {
        var bond = new ReasoningBond(BusProto.ReasoningBond.newBuilder()
                .setUser(ByteString.copyFromUtf8("user"))
                .setSetting(ByteString.copyFromUtf8("setting"))
                .setItems(ByteString.copyFromUtf8("items"))
                .setCount(2)
                .setTools(ByteString.copyFromUtf8("tool"))
                .setOutputIndex(1)
                .build());
        var job = job().with(job().reasoning().bound(bond));
        return golden("generation-job-bond", job, job.encode(), GenerationJob::decode);
    }

    private static MessageGolden retelling() {
        var job = jobWithAGrammar(GenerationJob.Sampling.DEFAULT)
                .with(List.of(new PromptItem.User("Weather?"), new PromptItem.Retold("c2VhbGVk")));
        return golden("generation-job-retold", job, job.encode(), GenerationJob::decode);
    }

    private static MessageGolden jobWithAGrammar() {
        var job = jobWithAGrammar(new GenerationJob.Sampling(1.0, 1.0, 0, 0, null, null, List.of(), Map.of()));
        return golden("generation-job-grammar", job, job.encode(), GenerationJob::decode);
    }

    /// The request names neither temperature nor top-p.
    private static MessageGolden jobWithDefaults() {
        var job = jobWithAGrammar(GenerationJob.Sampling.DEFAULT);
        return golden("generation-job-defaults", job, job.encode(), GenerationJob::decode);
    }

    private static MessageGolden jobWithOptions() {
        var options = ModelOptions.of(BusProto.GenerationJob.Options.newBuilder()
                .setEffortSaid(1)
                .setParallelCallsPlusOne(1)
                .setTopK(-1)
                .setMinP(0.05)
                .setRepetitionPenalty(1.1)
                .setTemplateArguments("{\"documents\":[]}")
                .build());
        var job = jobWithAGrammar(GenerationJob.Sampling.DEFAULT).with(options);
        return golden("generation-job-options", job, job.encode(), GenerationJob::decode);
    }

    private static GenerationJob jobWithAGrammar(GenerationJob.Sampling sampling) {
        var grammar = new GenerationJob.InputGrammar(GenerationJob.InputGrammar.Syntax.REGEX, "[0-9]+|ä");
        var tool = new GenerationJob.FunctionTool("dial", "Dials it", "{\"type\":\"string\"}", false, grammar, false);
        var plain = job();
        return new GenerationJob(
                plain.prompt(),
                List.of(tool),
                GenerationJob.ToolChoice.AUTO,
                plain.effort(),
                plain.date(),
                null,
                sampling,
                0,
                plain.reasoning());
    }

    private static JobTicket queued() {
        return new JobTicket(
                RESPONSE,
                1L << 40,
                2,
                "tenant-ä",
                Set.of(ServiceRole.GATEWAY, ServiceRole.AUDIT),
                DEADLINE,
                0,
                1,
                null,
                false,
                UnknownFields.NONE);
    }

    private static MessageGolden ticket() {
        return golden("job-ticket", queued(), queued().encode(), JobTicket::decode);
    }

    private static JobTicket dispatched() {
        return queued().readFrom((1L << 40) + 400_001);
    }

    private static JobTicket together() {
        var first = Frame.decision(RESPONSE, 1, FrameKind.ACCEPTED, new byte[] {1, 2})
                .withProof(new byte[] {3});
        return new JobTicket(
                        RESPONSE,
                        JobTicket.NOT_YET,
                        1,
                        "tenant",
                        Set.of(),
                        DEADLINE,
                        0,
                        1,
                        null,
                        false,
                        UnknownFields.NONE)
                .with(JobTicket.NOT_YET, first);
    }

    private static JobTicket resent() {
        return together().again(7);
    }

    private static JobTicket binary() {
        return JobTicket.of(RESPONSE, 1L << 40, 2, accepted(SEALED, Topic.Band.NORMAL, 2));
    }

    private static MessageGolden stop(String name, StopCommand command) {
        return golden(name, command, command.encode(), StopCommand::decode);
    }

    private static SummarySentence summary() {
        return new SummarySentence(true, "**Planning the answer**\n\nZürich lies east. ", SummaryTier.UNNAMED);
    }

    private static SummarySentence described() {
        return new SummarySentence(true, "**Rechnen**\n\nDie Lösung wird geprüft.", SummaryTier.DESCRIBED);
    }

    private static SummarySentence written() {
        return new SummarySentence(true, "**Abwägen**\n\nIch vergleiche zwei Wege.", SummaryTier.WRITTEN);
    }

    private static SummaryJob writtenJob() {
        return new SummaryJob(SummaryJob.Detail.AUTO, List.of("Be brief.", "{}"), "Und jetzt?", SummaryTier.WRITTEN);
    }

    private static SummaryJob summaryJob() {
        return new SummaryJob(SummaryJob.Detail.DETAILED, List.of("Be brief.", ""), "Weather in Zürich?");
    }

    private static Heartbeat auditBeat() {
        return new Heartbeat("audit-1", null, RESPONSE.acceptedAtMillis(), ServiceRole.AUDIT, 1_500, List.of(), 0, 1);
    }

    private static Heartbeat gatewayBeat(int format) {
        return new Heartbeat("gateway-1", null, 1, null, 0, List.of(), 0, format);
    }

    private static Heartbeat inboxBeat() {
        var beat = beat();
        var inbox = List.of(new Heartbeat.InboxPartition(0, 1L << 40), new Heartbeat.InboxPartition(63, 0));
        return new Heartbeat(beat.sender(), beat.model(), beat.sentAtMillis(), null, 0, inbox, 1_000, 1);
    }

    private static Heartbeat beat() {
        return new Heartbeat(
                "worker-1",
                new Heartbeat.Model("openai/gpt-oss-20b", "A model", 131_072, 64, 63, List.of("logprobs", "masks")),
                RESPONSE.acceptedAtMillis(),
                null,
                0,
                List.of(),
                0,
                1);
    }
}
