package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.NoteSigner;
import dev.counterpoint.tlog.SignatureType;
import dev.counterpoint.tlog.SignedNote;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedLeavesTest {
    private final SignedNote note = NoteSigner.generate("example.com/log", SignatureType.ED25519)
            .sign(new Checkpoint("example.com/log", 7, MerkleHash.EMPTY_TREE), Instant.EPOCH);

    @Test
    void aRecordIsReadAsItWasWritten() {
        for (var leaves : List.of(List.<String>of(), List.of("{\"c\":\"1\"}", "{\"t\":\"ä\"}"))) {
            var record = new PublishedLeaves(
                    note, leaves.stream().map(leaf -> leaf.getBytes(UTF_8)).toList());

            var read = PublishedLeaves.decode(record.encode());

            assertThat(read.note()).isEqualTo(note);
            assertThat(read.end()).isEqualTo(7);
            assertThat(read.leaves().stream().map(leaf -> new String(leaf, UTF_8)))
                    .isEqualTo(leaves);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "noise", "\n\n", "a\n\n\n\n", "origin\n7\nroot\n\n— name signature\n\n{}\n"})
    void anythingElseIsNoRecord(String text) {
        assertThatThrownBy(() -> PublishedLeaves.decode(text.getBytes(UTF_8))).isInstanceOf(InvalidLogException.class);
    }
}
