package dev.counterpoint.gateway.api.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.gateway.store.StoredConversations;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.ResponseEcho;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class ResponseHistoryIT {
    private static final int TURNS = 50;
    private static final int TURNS_MAX = 1_000;

    private final Owner owner = GatewayDatabase.defaultProject("tenant-" + UUID.randomUUID());

    @Inject
    ResponseHistory history;

    @Inject
    StoredResponses rows;

    @Inject
    StoredConversations conversations;

    @Inject
    DataSource database;

    @Test
    void aLongConversationIsOneQuery() {
        // Given
        var ids = turns(TURNS);
        var statements = new AtomicInteger();
        var counting = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (_, method, arguments) -> {
                    statements.incrementAndGet();
                    return method.invoke(database, arguments);
                });
        var counted = new ResponseHistory(new StoredResponses(new Sql(counting)), conversations);
        // When
        var past = counted.before(ids.getLast(), owner);
        // Then
        assertThat(statements).hasValue(1);
        assertThat(past.conversation()).isEqualTo(ids.getFirst());
    }

    @Test
    void aDescendantOfADeletedResponseKeepsItsOwnItems() {
        // Given
        var ids = turns(3);
        rows.delete(ids.get(1), owner);
        // Then
        assertThat(history.before(ids.get(2), owner).warning())
                .hasValueSatisfying(warning ->
                        assertThat(warning).startsWith("conversation_cut: ").contains(ids.get(1)));
        assertThatThrownBy(() -> history.before(ids.get(1), owner))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("not found");
        assertThat(history.before(ids.get(0), owner).conversation()).isEqualTo(ids.get(0));
        assertThat(history.before(ids.get(0), owner).warning()).isEmpty();
    }

    @Test
    void aConversationIsAsLongAsItMayBe() {
        // Given
        var ids = turns(TURNS_MAX + 1);
        // Then
        assertThat(history.before(ids.get(TURNS_MAX - 1), owner).conversation()).isEqualTo(ids.getFirst());
        assertThatThrownBy(() -> history.before(ids.get(TURNS_MAX), owner))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("too long");
    }

    /// Ended responses of which each builds upon the one before, the first one first.
    private List<String> turns(int count) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            var id = new TurnIds(ResponseId.create(System.currentTimeMillis(), 0)).response();
            rows.restore(row(id, ids.isEmpty() ? null : ids.getLast()));
            rows.finish(id, owner.tenant(), "completed", "{\"status\":\"completed\",\"output\":[]}");
            ids.add(id);
        }
        return ids;
    }

    private StoredResponses.NewRow row(String id, @Nullable String previous) {
        var now = Instant.now();
        var expires = now.plusSeconds(60);
        var request = WireJson.read("{\"model\":\"m\",\"input\":[]}".getBytes(UTF_8), CreateResponse.class);
        var plan = TestPlans.of(false, false, ResponseEcho.of(request, "m"));
        var input = StoredTurn.of(plan, List.of()).write();
        return new StoredResponses.NewRow(
                id, owner, "key-1", now, "m", false, true, previous, input, expires, null, null);
    }
}
