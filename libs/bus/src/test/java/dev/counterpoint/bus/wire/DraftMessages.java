package dev.counterpoint.bus.wire;

import static dev.counterpoint.bus.wire.SampleMessages.bytes;
import static dev.counterpoint.bus.wire.SampleMessages.ids;
import static dev.counterpoint.bus.wire.SampleMessages.ints;
import static dev.counterpoint.bus.wire.SampleMessages.longs;
import static dev.counterpoint.bus.wire.SampleMessages.texts;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.draft.DraftId;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.draft.DraftTask;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/// What is said about drafts: made up, and as goldens.
final class DraftMessages {
    private static final ResponseId RESPONSE =
            new ResponseId(1_795_168_800_000L, 7, 0x0123456789abcdefL, 0xfedcba9876543210L);
    private static final DraftId ID = new DraftId(UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e"));
    private static final byte[] SEALED = "sealed".getBytes(StandardCharsets.UTF_8);

    private DraftMessages() {}

    static List<Codec<?>> codecs() {
        return List.of(
                new Codec<>("draft-request", requests(), DraftRequest::encode, DraftRequest::decode),
                new Codec<>("draft-task", tasks(), DraftTask::encode, DraftTask::decode),
                new Codec<>("draft-answer", answers(), DraftAnswer::encode, DraftAnswer::decode));
    }

    static List<MessageGolden> goldens() {
        var request = new DraftRequest(ID, RESPONSE, "openai/gpt-oss-20b", 1_795_168_808_000L, SEALED);
        var task = new DraftTask("Sum it up.", "Grüße, <|end|>", "{\"type\":\"object\"}", 160);
        var written = new DraftAnswer(ID, DraftAnswer.Outcome.WRITTEN, SEALED, 420, 61);
        var failed = new DraftAnswer(ID, DraftAnswer.Outcome.FAILED, new byte[0], 0, 0);
        return List.of(
                new MessageGolden("draft-request", request, request.encode(), DraftRequest::decode),
                new MessageGolden("draft-task", task, task.encode(), DraftTask::decode),
                new MessageGolden("draft-answer", written, written.encode(), DraftAnswer::decode),
                new MessageGolden("draft-answer-failed", failed, failed.encode(), DraftAnswer::decode));
    }

    private static Arbitrary<DraftRequest> requests() {
        return Combinators.combine(draftIds(), ids(), texts(), longs(), bytes()).as(DraftRequest::new);
    }

    private static Arbitrary<DraftTask> tasks() {
        return Combinators.combine(texts(), texts(), texts(), ints()).as(DraftTask::new);
    }

    private static Arbitrary<DraftAnswer> answers() {
        return Combinators.combine(draftIds(), Arbitraries.of(DraftAnswer.Outcome.class), bytes(), ints(), ints())
                .as(DraftAnswer::new);
    }

    private static Arbitrary<DraftId> draftIds() {
        return Combinators.combine(longs(), longs()).as((high, low) -> new DraftId(new UUID(high, low)));
    }
}
