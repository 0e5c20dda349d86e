package dev.counterpoint.bus.wire;

import static dev.counterpoint.bus.wire.SampleMessages.bytes;
import static dev.counterpoint.bus.wire.SampleMessages.flags;
import static dev.counterpoint.bus.wire.SampleMessages.ids;
import static dev.counterpoint.bus.wire.SampleMessages.ints;
import static dev.counterpoint.bus.wire.SampleMessages.longs;
import static dev.counterpoint.bus.wire.SampleMessages.texts;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Closing;
import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.audit.ErasedRows;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/// What goes to the audit service: made up, and as goldens.
final class AuditMessages {
    private static final ResponseId RESPONSE =
            new ResponseId(1_795_168_800_000L, 7, 0x0123456789abcdefL, 0xfedcba9876543210L);
    private static final long ENDED_AT = 1_795_168_805_000L;
    private static final byte[] SEALED = "sealed".getBytes(StandardCharsets.UTF_8);

    private AuditMessages() {}

    static List<Codec<?>> codecs() {
        return List.of(
                new Codec<>("audit-terms", terms(), AuditTerms::encode, AuditTerms::decode),
                new Codec<>("trace-record", records(), TraceRecord::encode, TraceRecord::decode),
                new Codec<>("trace", traces(), Trace::encode, Trace::decode),
                new Codec<>("access-entry", entries(), AccessEntry::encode, AccessEntry::decode),
                new Codec<>("closing", closings(), Closing::encode, Closing::decode),
                new Codec<>("erase", erasures(), Erase::encode, Erase::decode));
    }

    static List<MessageGolden> goldens() {
        var terms = new AuditTerms("optin-1", "user-ä", "conv-1");
        var whole = recordOf(new TraceRecord.Whole(SEALED));
        var partial = recordOf(
                new TraceRecord.Partial(OwnerEnd.Reason.CANCELLED, ENDED_AT, true, List.of(SEALED, new byte[] {1, 2})));
        var trace = new Trace(
                End.Finish.MAX_TOKENS,
                70,
                4_096,
                4_000,
                ENDED_AT,
                List.of(
                        new Trace.Segment(0, "analysis", null, "Grüße?"),
                        new Trace.Segment(2, "analysis", "functions.look_up", "{}")));
        var entry = new AccessEntry(
                "0f8fad5b-d9cb-469f-a165-70867728950e",
                ENDED_AT,
                "key-1",
                "tenant-ä",
                RESPONSE.toString(),
                AccessEntry.Action.RAW_REASONING_SHOWN);
        var closed = new AccessEntry(
                "closing-1", ENDED_AT, "key-1", "tenant-ä", "", AccessEntry.Action.RESPONSE_CLOSED, SEALED);
        var closing = new Closing(SEALED, "gpt", "EXPIRED", ENDED_AT, new byte[] {1, 2}, "withheld", "Grüße", true);
        var erased = new AccessEntry(
                "rows_erased_1",
                ENDED_AT,
                "gateway",
                "tenant-ä",
                "",
                AccessEntry.Action.ROWS_ERASED,
                new byte[0],
                new ErasedRows(3, 1, 2, 0, 70_000));
        var erase = new Erase("erasure-1", "tenant-ä", new byte[] {1, 2, 3}, ENDED_AT);
        return List.of(
                new MessageGolden("access-entry-erased", erased, erased.encode(), AccessEntry::decode),
                new MessageGolden("erase", erase, erase.encode(), Erase::decode),
                new MessageGolden("access-entry-closed", closed, closed.encode(), AccessEntry::decode),
                new MessageGolden("closing", closing, closing.encode(), Closing::decode),
                new MessageGolden("audit-terms", terms, terms.encode(), AuditTerms::decode),
                new MessageGolden("trace-record-whole", whole, whole.encode(), TraceRecord::decode),
                new MessageGolden("trace-record-partial", partial, partial.encode(), TraceRecord::decode),
                new MessageGolden("trace", trace, trace.encode(), Trace::decode),
                new MessageGolden("access-entry", entry, entry.encode(), AccessEntry::decode));
    }

    private static TraceRecord recordOf(TraceRecord.Body body) {
        return new TraceRecord(
                RESPONSE, "tenant-ä", "key-1", "openai/gpt-oss-20b", RESPONSE.acceptedAtMillis(), SEALED, body);
    }

    private static Arbitrary<AuditTerms> terms() {
        return Combinators.combine(texts(), texts(), texts()).as(AuditTerms::new);
    }

    private static Arbitrary<TraceRecord> records() {
        var frames = bytes().list().ofMaxSize(5);
        Arbitrary<TraceRecord.Body> bodies = Arbitraries.oneOf(
                bytes().map(TraceRecord.Whole::new),
                Combinators.combine(Arbitraries.of(OwnerEnd.Reason.class), longs(), flags(), frames)
                        .as(TraceRecord.Partial::new));
        return Combinators.combine(ids(), texts(), texts(), texts(), longs(), bytes(), bodies)
                .as(TraceRecord::new);
    }

    private static Arbitrary<Trace> traces() {
        var segments = Combinators.combine(ints(), texts(), texts().injectNull(0.5), texts())
                .as(Trace.Segment::new);
        return Combinators.combine(
                        Arbitraries.of(End.Finish.class),
                        ints(),
                        ints(),
                        ints(),
                        longs(),
                        segments.list().ofMaxSize(4))
                .as(Trace::new);
    }

    private static Arbitrary<AccessEntry> entries() {
        var ids = texts().filter(id -> !id.isEmpty());
        return Combinators.combine(
                        ids,
                        longs(),
                        texts(),
                        texts(),
                        texts(),
                        Arbitraries.of(AccessEntry.Action.class),
                        bytes(),
                        erasedRows().injectNull(0.5))
                .as(AccessEntry::new);
    }

    private static Arbitrary<ErasedRows> erasedRows() {
        return Combinators.combine(longs(), longs(), longs(), longs(), longs()).as(ErasedRows::new);
    }

    private static Arbitrary<Erase> erasures() {
        var ids = texts().filter(id -> !id.isEmpty());
        var tokens = bytes().filter(token -> token.length > 0);
        return Combinators.combine(ids, ids, tokens, longs()).as(Erase::new);
    }

    private static Arbitrary<Closing> closings() {
        return Combinators.combine(bytes(), texts(), texts(), longs(), bytes(), texts(), texts(), flags())
                .as(Closing::new);
    }
}
