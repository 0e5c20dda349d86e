package dev.counterpoint.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.turn.FakeModels;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class StoredConversationsIT {
    private static final Owner OWNER = GatewayDatabase.defaultProject("tenant-of-conversations");

    private final String id = "conv_" + UUID.randomUUID();

    @Inject
    StoredConversations conversations;

    private final TestSuperuser database = new TestSuperuser();

    @Test
    void isGoneWhenItsTimeIsOver() {
        // Given
        create(Instant.now().minusSeconds(1), 60);

        // When
        update("update conversation set expires_at = now() where id = :id");

        // Then nobody finds it, and the housekeeping leaves nothing of it
        assertThat(conversations.find(id, OWNER)).isEmpty();
        assertThat(conversations.before(id, OWNER, Long.MAX_VALUE)).isEmpty();
        assertThat(append()).isFalse();
        conversations.expired().run();
        assertThat(count("conversation where id = :id")).isZero();
        assertThat(count("conversation_item where conversation_id = :id")).isZero();
    }

    @Test
    void livesOnWhenSomethingIsAdded() {
        // Given
        create(Instant.now(), 60);

        // When
        append();
        conversations.expired().run();

        // Then
        assertThat(conversations.find(id, OWNER).orElseThrow().nextPosition()).isEqualTo(2);
        assertThat(count("conversation where id = :id and expires_at > now() + interval '30 minutes'"))
                .isOne();
    }

    @Test
    void whatWasSealedIsNotReadAfterItsTimeAndTheHousekeepingTakesItAway() {
        // Given
        create(Instant.now(), 60);
        assertThat(conversations.before(id, OWNER, 1).getFirst().sealed()).isEqualTo("blob");

        // When
        update("update conversation_item set sealed_until = now() where conversation_id = :id");

        // Then
        assertThat(conversations.before(id, OWNER, 1).getFirst().sealed()).isNull();
        conversations.oldSealed().run();
        assertThat(count("conversation_item where conversation_id = :id and sealed is null and sealed_until is null"))
                .isOne();
    }

    private void create(Instant at, int secondsToLive) {
        var row = new StoredConversations.NewConversation(id, OWNER, "key-1", at, null, at.plusSeconds(secondsToLive));
        conversations.create(row);
        assertThat(conversations.append(id, OWNER, List.of(item()), row.expiresAt()))
                .isTrue();
    }

    private boolean append() {
        return conversations.append(id, OWNER, List.of(item()), Instant.now().plusSeconds(3_600));
    }

    private static StoredConversations.NewItem item() {
        return new StoredConversations.NewItem("rs_" + UUID.randomUUID(), "{}", "blob");
    }

    private long count(String from) {
        return database.createNativeQuery("select count(*) from " + from, Long.class)
                .setParameter("id", id)
                .getSingleResult();
    }

    private void update(String statement) {
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeMutationQuery(statement)
                        .setParameter("id", id)
                        .executeUpdate());
    }
}
