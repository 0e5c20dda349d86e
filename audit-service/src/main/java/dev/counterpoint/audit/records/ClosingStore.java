package dev.counterpoint.audit.records;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.keys.CanonicalEncoder;
import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.auditlog.SortedJson;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Closing;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The closings of opted-in responses, as events of the log. Hash of the answer and summary are encrypted under the key
/// of the response's record, so an erasure takes them too. Thread-safe.
@ApplicationScoped
public class ClosingStore {
    private static final String CLOSED = Action.RESPONSE_CLOSED.wireName();
    private static final String SEALED = "sealed";
    private static final String DATA_KEY = "data_key_id";

    private final EventStore events;
    private final EnvelopeKeys keys;
    private final ErasureStore erasures;
    private final TransactionRole role;
    private final Duration patience;
    private volatile @Nullable Instant since;

    ClosingStore(
            EventStore events, EnvelopeKeys keys, ErasureStore erasures, TransactionRole role, AuditConfig config) {
        this.events = events;
        this.keys = keys;
        this.erasures = erasures;
        this.role = role;
        patience = config.framesGoneAfter();
    }

    /// Keeps the first closing of a response, which decides.
    @Transactional
    public void keep(AccessEntry entry, ResponseId response, Closing closing, AuditTerms terms) {
        erasures.requireKnown();
        role.intake(entry.tenant());
        var id = CLOSED + "_" + response;
        if (events.holds(id)) {
            return;
        }
        var subject = DataSubject.of(terms.subject(), entry.actor());
        var row = new RecordRow(); // as far as it names the key of the response's record
        row.response = response.toString();
        row.tenant = entry.tenant();
        row.acceptedAt = Instant.ofEpochMilli(response.acceptedAtMillis());
        row.subjectToken = keys.tokensForWriting(row.tenant, List.of(subject)).getFirst();
        boolean erased = erasures.erased(List.of(row)).test(row);
        var event = StaffAccess.of(entry).about(row.tenant, row.response, erased ? null : row.subjectToken);
        var plain = event.plain();
        plain.put("at", System.currentTimeMillis());
        plain.put("ended_at", Instant.ofEpochMilli(closing.endedAtMillis()).toString());
        plain.put("ended_by", closing.endedBy());
        plain.put("consent", terms.optIn());
        plain.put("model", closing.model());
        plain.put("verdict", closing.verdict());
        plain.put("raw_shown", closing.rawShown());
        if (!erased) {
            var key = keys.forWriting(row.tenant, Set.of(row.keyName())).apply(row.keyName());
            var content = new TreeMap<String, Object>(Map.of(
                    "answer_hash", HexFormat.of().formatHex(closing.answerHash()), "summary", closing.summary()));
            var sealed = key.encrypt(SortedJson.of(content).getBytes(UTF_8), associatedData(row, key.id()));
            plain.put(DATA_KEY, key.id());
            event.personal().put(SEALED, Base64.getEncoder().encodeToString(sealed));
        }
        events.append(id, plain, event.personal());
    }

    /// Sets the evidence of records, from the events about their responses. Needs an open transaction.
    void find(Collection<RecordRow> rows) {
        var responses = rows.stream().map(row -> row.response).toList();
        var flagged = StaffAccess.Outcome.FLAGGED.wireName();
        var about =
                events.verified("response in ?1 and (action = ?2 or outcome = ?3)", responses, CLOSED, flagged).stream()
                        .collect(Collectors.groupingBy(
                                event -> event.body().path("response").asText()));
        var due = due();
        for (var row : rows) {
            row.evidence = RecordEvidence.of(row, about.getOrDefault(row.response, List.of()), due, patience);
        }
    }

    /// Records stored since this time need a closing; null while no gateway sends closings.
    private @Nullable Instant due() {
        if (since == null) {
            var first = "seq = (select min(e.seq) from EventRow e where e.action = ?1 and e.seq >= 0)";
            events.verified(first, CLOSED)
                    .forEach(event ->
                            since = Instant.ofEpochMilli(event.body().path("at").asLong()));
        }
        return since == null ? null : since.plus(patience);
    }

    /// Shows what is encrypted of the closing of a confirmed record. Needs an open transaction.
    ///
    /// @throws dev.counterpoint.audit.keys.EncryptionException when it does not open
    void open(RecordRow row) {
        var closing = row.evidence.closing();
        if (closing != null && row.evidence.shown() instanceof ObjectNode shown && row.evidence.confirmed()) {
            var id = closing.body().path(DATA_KEY).asText();
            var sealed =
                    Base64.getDecoder().decode(closing.personal().path(SEALED).asText());
            keys.find(row.tenant, row.token(), id)
                    .map(key -> key.decrypt(sealed, associatedData(row, id)))
                    .ifPresent(content -> shown.setAll((ObjectNode) SortedJson.read(new String(content, UTF_8))));
        }
    }

    private static byte[] associatedData(RecordRow row, String dataKeyId) {
        var place = new CanonicalEncoder("closing-1").text(row.response).text(row.tenant);
        return place.bytes(row.token()).text(dataKeyId).toBytes();
    }
}
