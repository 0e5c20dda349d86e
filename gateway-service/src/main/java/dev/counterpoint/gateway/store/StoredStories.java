package dev.counterpoint.gateway.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The histories of responses that have ended, for the time after their logs are gone. Written many at a time and a
/// moment after the end, so that no ending waits for it; what a gateway has not written when it dies, or while the
/// database is away, is missing. Thread-safe.
@ApplicationScoped
public class StoredStories {
    private static final Logger LOG = LoggerFactory.getLogger(StoredStories.class);
    private static final Duration GATHERED_FOR = Duration.ofMillis(500);
    private static final int WAITING_MAX = 10_000;
    private static final int AT_ONCE = 500;

    private final Sql sql;
    private final BlockingQueue<Story> waiting = new LinkedBlockingQueue<>(WAITING_MAX);
    private final AtomicBoolean planned = new AtomicBoolean();
    private final Executor later = CompletableFuture.delayedExecutor(
            GATHERED_FOR.toMillis(),
            TimeUnit.MILLISECONDS,
            work -> Thread.ofVirtual().name("write-stories").start(work));

    StoredStories(Sql sql) {
        this.sql = sql;
    }

    /// @param json writes it, without content
    public record Story(String response, String tenant, Supplier<String> json) {}

    /// The use that is on the ledger of a response that has no story. Days later only sums are left.
    public record Entry(
            String tenant,
            String key,
            String model,
            Instant endedAt,
            long input,
            long cached,
            long output,
            long reasoning) {}

    /// Keeps a story. Returns at once; drops it where too many wait.
    public void add(Story story) {
        if (waiting.offer(story)) {
            plan();
        }
    }

    private void plan() {
        if (planned.compareAndSet(false, true)) {
            later.execute(this::writeSome);
        }
    }

    private void writeSome() {
        planned.set(false);
        var some = new ArrayList<Story>();
        if (waiting.drainTo(some, AT_ONCE) == 0) {
            return;
        }
        try {
            var _ = sql.first(
                    Integer.class,
                    "select response_story_add(?, ?, ?)",
                    some.stream().map(Story::response).toList(),
                    some.stream().map(Story::tenant).toList(),
                    some.stream().map(story -> story.json.get()).toList());
        } catch (RuntimeException e) {
            LOG.warn("stories lost={} error={}", some.size(), e.getClass().getName());
        }
        if (!waiting.isEmpty()) {
            plan();
        }
    }

    /// The story of a response as JSON.
    ///
    /// @param response its id without a prefix
    public Optional<String> find(String response) {
        return sql.first(String.class, "select cast(story as text) from response_story where response = ?", response);
    }

    /// What the ledger has of a response.
    public Optional<Entry> entry(String response) {
        return sql.first(Entry.class, """
                select tenant_id, key_id, model, ended_at, input_tokens, cached_tokens, output_tokens, reasoning_tokens
                from usage_entry where response = ?""", response);
    }

    /// The row of a response of any tenant.
    ///
    /// @param json the response as its owner reads it; null while it runs and once it is deleted
    public record Kept(
            String status,
            String tenant,
            String key,
            String model,
            @Nullable String json) {}

    /// @param names the ids that a row of it may have
    public Optional<Kept> row(List<String> names) {
        return sql.as(Sql.EVERY_TENANT).first(Kept.class, """
                select case when deleted_at is null then status else 'deleted' end, tenant_id, key_id, model, response
                from response where id = any (?)""", names);
    }

    @Produces
    @Singleton
    BatchTask oldStories() {
        return BatchTask.deleting("response_story", "ended_at < now() - interval '30 days'", sql);
    }
}
