package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;

/// Where to stop generating: one sequence, or up to four; the sequence itself is not in the answer.
public sealed interface Stop {
    List<String> sequences();

    record One(@JsonValue String sequence) implements Stop {
        @Override
        public List<String> sequences() {
            return List.of(sequence);
        }
    }

    record Many(@JsonValue List<String> sequences) implements Stop {
        public Many {
            sequences = List.copyOf(sequences);
        }
    }
}
