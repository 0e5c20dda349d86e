package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repair;
import dev.counterpoint.harmony.parse.HarmonyParser;
import java.util.Arrays;

/// What {@link HarmonyParser} made of a model's stream that began after `<|start|>assistant`, and what to expect of it.
public record Outcome(Recording read) {
    /// The parts one after the other: text as in {@link SpokenTokens}, or ids.
    static Outcome model(Object... parts) {
        return new Outcome(Recording.of(parser(), tokens(parts)));
    }

    /// The same, but a limit ended the stream and not the model.
    static Outcome cutOff(Object... parts) {
        var parser = parser();
        var recording = new Recording();
        Arrays.stream(tokens(parts)).forEach(token -> parser.accept(token, recording));
        parser.cutOff(recording);
        return new Outcome(recording);
    }

    static HarmonyParser parser() {
        return new HarmonyParser(Role.ASSISTANT);
    }

    public static int[] tokens(Object... parts) {
        return Arrays.stream(parts)
                .flatMapToInt(part -> Arrays.stream(part instanceof int[] ids ? ids : SpokenTokens.of((String) part)))
                .toArray();
    }

    /// Exactly these kinds of repairs.
    Outcome repaired(Repair... kinds) {
        assertThat(read.repairs).containsOnly(kinds);
        return this;
    }

    /// What a user would see, messages divided by `|`.
    Outcome shows(String text) {
        assertThat(read.shown()).isEqualTo(text);
        return this;
    }

    /// All messages, as {@link Recording#lines}.
    Outcome reads(String... lines) {
        assertThat(read.lines()).containsExactly(lines);
        return this;
    }
}
