package dev.counterpoint.gateway.api.completions;

import dev.counterpoint.gateway.api.paging.Page;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.reasoning.LaterSummaries;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.StoredCompletions;
import dev.counterpoint.gateway.turn.StoredDeletions;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatCompletionList;
import dev.counterpoint.openai.chat.ChatMessage;
import dev.counterpoint.openai.chat.ChatMessageList;
import dev.counterpoint.openai.chat.StoredMessage;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A project's stored chat completions, as far as they are complete. One of another project is a 404, like one
/// that does not exist. Thread-safe.
@ApplicationScoped
public class CompletionService {
    private final StoredCompletions rows;
    private final StoredDeletions deletions;

    CompletionService(StoredCompletions rows, StoredDeletions deletions) {
        this.rows = rows;
        this.deletions = deletions;
    }

    ChatCompletion find(String id, Owner owner) {
        return completion(row(id, owner));
    }

    public ChatCompletionList list(Owner owner, StoredCompletions.Filter filter, Page page) {
        if (page.after() != null && rows.find(page.after(), owner).isEmpty()) {
            throw Page.unknownAfter();
        }
        var part = new StoredCompletions.Part(page.after(), page.descending(), page.fetch());
        var entries = page.of(rows.part(owner, filter, part));
        return new ChatCompletionList(
                entries.shown().stream().map(CompletionService::completion).toList(),
                entries.firstId(StoredCompletions.Completion::id),
                entries.lastId(StoredCompletions.Completion::id),
                entries.more());
    }

    /// Replaces the metadata.
    ChatCompletion update(String id, Owner owner, @Nullable Map<String, String> metadata) {
        RequestRules.metadata(metadata);
        var row = row(id, owner);
        var before = completion(row);
        var after = new ChatCompletion(
                before.id(),
                before.created(),
                before.model(),
                before.choices(),
                before.usage(),
                before.serviceTier(),
                before.systemFingerprint(),
                before.moderation(),
                metadata);
        var written = new StoredCompletions.Completion(id, row.messagesJson(), WireJson.write(after));
        if (!rows.update(written, owner, Objects.requireNonNullElse(metadata, Map.of()))) {
            throw missing(id);
        }
        return after;
    }

    /// Deletes a completion, also while it runs.
    void delete(String id, Owner owner) {
        var response = TurnIds.parseCompletion(id);
        if (response.isEmpty() || !deletions.delete(response.get(), id, owner)) {
            throw missing(id);
        }
    }

    ChatMessageList messages(String id, Owner owner, Page page) {
        var messages = messages(row(id, owner));
        var entries = page.ofAll(messages, StoredMessage::id);
        return new ChatMessageList(
                entries.shown(), entries.firstId(StoredMessage::id), entries.lastId(StoredMessage::id), entries.more());
    }

    /// What is known here of a completion whose reasoning is to be summed up.
    ///
    /// @param carried whether the caller brings the reasoning, so that the completion need not be stored
    LaterSummaries.Past past(String id, Owner owner, boolean carried) {
        var log = TurnIds.parseCompletion(id).orElseThrow(() -> missing(id));
        var row = rows.find(id, owner);
        if (row.isEmpty() && carried) {
            return LaterSummaries.Past.unknown(id);
        }
        var known = row.orElseThrow(() -> missing(id));
        var question = messages(known).reversed().stream()
                .filter(message -> "user".equals(message.role()))
                .map(StoredMessages::text)
                .findFirst()
                .orElse("");
        return new LaterSummaries.Past(id, log, completion(known).model(), question);
    }

    private StoredCompletions.Completion row(String id, Owner owner) {
        return rows.find(id, owner).orElseThrow(() -> missing(id));
    }

    private static List<StoredMessage> messages(StoredCompletions.Completion row) {
        var messages = new ArrayList<StoredMessage>();
        for (var message : WireJson.parse(row.messagesJson().getBytes(StandardCharsets.UTF_8))) {
            var id = row.id() + "-" + messages.size();
            messages.add(StoredMessages.stored(id, WireJson.read(message, ChatMessage.class)));
        }
        return messages;
    }

    private static ChatCompletion completion(StoredCompletions.Completion row) {
        return WireJson.read(row.completionJson().getBytes(StandardCharsets.UTF_8), ChatCompletion.class);
    }

    private static ProblemException missing(String id) {
        return new ProblemException(Problem.notFound("Chat completion with id '" + id + "'"));
    }
}
