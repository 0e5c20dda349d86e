package dev.counterpoint.worker;

import dev.counterpoint.engine.chat.ChatOptions;
import dev.counterpoint.engine.chat.ReasoningStrategy;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.ModelFamily;
import dev.counterpoint.engine.chat.probe.KnownFamily;
import dev.counterpoint.engine.chat.probe.OperatorSettings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads the settings `worker.chat.…`.
final class ChatSettings {
    private static final List<String> AUTO = List.of("auto");
    private static final String BETWEEN = "…";

    private ChatSettings() {}

    /// @return empty where the worker is to find out by itself
    /// @throws IllegalArgumentException that names the setting, and the strategy that there is not
    static List<ReasoningStrategy> strategies(WorkerConfig.Chat chat) {
        if (isAuto(chat)) {
            return List.of();
        }
        try {
            return ReasoningStrategy.named(chat.reasoning());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("worker.chat.reasoning: " + e.getMessage() + ", or auto alone");
        }
    }

    /// @throws IllegalArgumentException that names the setting which is wrong
    static ChatOptions.Knowing knowing(WorkerConfig.Chat chat) {
        var marks =
                chat.marks().orElse(List.of()).stream().map(ChatSettings::marks).toList();
        var usual = ChatOptions.Knowing.DEFAULT;
        return new ChatOptions.Knowing(
                new OperatorSettings(family(chat), marks, takes(chat)),
                usual.questionTimeout(),
                positive("ask-interval", chat.askInterval()));
    }

    private static OperatorSettings.Takes takes(WorkerConfig.Chat chat) {
        return new OperatorSettings.Takes(
                chat.sendsSchema(), chat.sendsSchemaWithTools(), chat.sendsEffort(), chat.takesImages());
    }

    private static boolean isAuto(WorkerConfig.Chat chat) {
        return chat.reasoning().stream().map(String::strip).toList().equals(AUTO);
    }

    private static @Nullable KnownFamily family(WorkerConfig.Chat chat) {
        if (chat.family().isEmpty()) {
            return null;
        }
        var name = chat.family().get();
        return FamilyTable.shared()
                .named(name)
                .map(known -> new KnownFamily(known, "as worker.chat.family says"))
                .orElseThrow(() -> new IllegalArgumentException(
                        "worker.chat.family: '" + name + "' is no known family; there are " + families()));
    }

    private static String families() {
        return FamilyTable.shared().families().stream().map(ModelFamily::name).collect(Collectors.joining(", "));
    }

    private static MarkPair marks(String pair) {
        var both = pair.split(BETWEEN, -1);
        if (both.length != 2 || both[0].isBlank() || both[1].isBlank()) {
            throw new IllegalArgumentException(
                    "worker.chat.marks: a pair is an opening and a closing mark with '…' between them");
        }
        return new MarkPair(both[0].strip(), both[1].strip());
    }

    private static Duration positive(String name, Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("worker.chat." + name + " is not positive");
        }
        return time;
    }
}
