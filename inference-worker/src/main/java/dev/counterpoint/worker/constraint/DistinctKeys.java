package dev.counterpoint.worker.constraint;

import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Removes tokens from a mask that would complete a duplicate key in an object, because the grammar of a turn does
/// not remember names outside the schema. A key may repeat if no other token is allowed. Not thread-safe.
final class DistinctKeys {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    /// The tokens in which a key can end.
    private static final int[] QUOTING = IntStream.range(0, TOKENIZER.vocabularySize())
            .filter(token -> !SpecialTokens.isSpecial(token) && text(token).indexOf('"') >= 0)
            .toArray();

    private final TurnRules rules;
    private final HarmonyParser parser = new HarmonyParser(Role.ASSISTANT);
    /// Null where no open object can be.
    private @Nullable Position position;

    DistinctKeys(TurnRules rules) {
        this.rules = rules;
    }

    void accept(int token) {
        if (SpecialTokens.isSpecial(token)) {
            position = null;
        } else if (position != null) {
            position.add(text(token));
        }
        parser.accept(token, event -> {
            if (event instanceof HarmonyEvent.MessageStarted started && isOpen(started)) {
                position = new Position();
            }
        });
    }

    /// True for JSON whose objects may be open. Those of strict schemas are closed.
    private boolean isOpen(HarmonyEvent.MessageStarted message) {
        var format = rules.format();
        return message.recipient() == null
                ? Channels.FINAL.equals(message.channel())
                        && format != null
                        && (!format.strict() || format.schema() == null)
                : rules.calls().stream()
                        .anyMatch(call -> call.recipient().equals(message.recipient())
                                && !call.tool().mustFit());
    }

    void narrow(TokenBits allowed) {
        var now = position;
        if (now == null) {
            return;
        }
        int[] repeating = IntStream.of(QUOTING)
                .filter(token -> allowed.contains(token) && new Position(now).add(text(token)))
                .toArray();
        IntStream.of(repeating).forEach(allowed::clear);
        if (repeating.length > 0 && allowed.cardinality() == 0) {
            IntStream.of(repeating).forEach(allowed::set);
        }
    }

    /// Each byte as one character.
    private static String text(int token) {
        return new String(TOKENIZER.bytes(token), StandardCharsets.ISO_8859_1);
    }

    private record Name(String text, @Nullable Name before) {}

    private record Level(
            @Nullable Level outer, boolean object, @Nullable Name names) {}

    /// A place in a JSON text.
    private static final class Position {
        private @Nullable Level level;
        private boolean quoted;
        private boolean escaped;
        /// True if the current or next string is a key.
        private boolean naming;
        private String key = "";

        Position() {}

        Position(Position other) {
            level = other.level;
            quoted = other.quoted;
            escaped = other.escaped;
            naming = other.naming;
            key = other.key;
        }

        /// @return whether a key came again
        boolean add(String text) {
            boolean again = false;
            for (char sign : text.toCharArray()) {
                again |= add(sign);
            }
            return again;
        }

        private boolean add(char sign) {
            if (quoted) {
                quoted = escaped || sign != '"';
                escaped = sign == '\\' && !escaped;
                key = quoted && naming ? key + sign : key;
                return !quoted && naming && endKey();
            }
            switch (sign) {
                case '"' -> quoted = true;
                case '{', '[' -> level = new Level(level, sign == '{', null);
                case '}', ']' -> level = level == null ? null : level.outer;
                default -> {}
            }
            naming = sign == '{' || (sign == ',' ? level != null && level.object : naming && sign != '}');
            return false;
        }

        private boolean endKey() {
            var ended = key;
            key = "";
            naming = false;
            if (level == null) {
                return false;
            }
            for (var name = level.names; name != null; name = name.before) {
                if (name.text.equals(ended)) {
                    return true;
                }
            }
            level = new Level(level.outer, level.object, new Name(ended, level.names));
            return false;
        }
    }
}
