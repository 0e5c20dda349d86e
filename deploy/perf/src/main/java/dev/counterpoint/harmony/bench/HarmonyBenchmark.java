package dev.counterpoint.harmony.bench;

import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// One operation parses a stream of some 500,000 tokens, or renders a prompt of 27,000.
@State(Scope.Benchmark)
public class HarmonyBenchmark {
    private final HarmonyTokenizer tokenizer = HarmonyTokenizer.shared();
    private final HarmonyRenderer renderer = new HarmonyRenderer(tokenizer, BenchConversations.OPTIONS);
    private final BenchConversations conversations = new BenchConversations();
    private final Conversation chat = conversations.chat();
    private final Conversation agent = conversations.agent();
    private int[] stream = {};

    @Setup
    public void prepare() {
        stream = conversations.stream();
        renderer.renderForCompletion(agent, Role.ASSISTANT);
    }

    @Benchmark
    public int parse() {
        var parser = new HarmonyParser(Role.ASSISTANT);
        var reader = new Reader();
        for (int token : stream) {
            parser.accept(token, reader);
        }
        parser.finish(reader);
        return reader.characters;
    }

    @Benchmark
    public int[] renderCold() {
        return new HarmonyRenderer(tokenizer, BenchConversations.OPTIONS).renderForCompletion(chat, Role.ASSISTANT);
    }

    /// The renderer has seen the system and developer parts before.
    @Benchmark
    public int[] renderAgain() {
        return renderer.renderForCompletion(agent, Role.ASSISTANT);
    }

    private static final class Reader implements Consumer<HarmonyEvent> {
        int characters;

        @Override
        public void accept(HarmonyEvent event) {
            switch (event) {
                case TextDelta(String text) -> characters += text.length();
                case MessageStarted _, MessageEnded _ -> characters++;
                case Repaired(HarmonyEvent.Repair kind) -> throw new IllegalStateException("needs no repair: " + kind);
            }
        }
    }
}
