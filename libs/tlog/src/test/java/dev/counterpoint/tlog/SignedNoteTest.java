package dev.counterpoint.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignedNoteTest {
    private static final String ORIGIN = "audit.example/log";
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
    private static final Checkpoint CHECKPOINT = new Checkpoint(ORIGIN, 7, MerkleHash.ofLeaf(new byte[] {1}));
    /// The example of c2sp.org/signed-note.
    private static final String VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";

    private static final String NOTE = """
        This is an example message.

        — example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ON\
        ncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
        """;

    @Test
    void verifiesTheExampleOfTheSpecification() {
        var key = VerifierKey.parse(VKEY);
        assertThat(note(NOTE).verify(List.of(key))).containsOnlyKeys(key);
        assertThat(key).hasToString(VKEY);
        assertThat(note(NOTE)).hasToString(NOTE);
    }

    @Test
    void refusesEveryFlippedBitOfANote() {
        var keys = List.of(VerifierKey.parse(VKEY));
        var bytes = NOTE.getBytes(StandardCharsets.UTF_8);
        for (var bit = 0; bit < 8 * bytes.length; bit++) {
            var flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(verified(keys, flipped)).as("bit %d", bit).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifiesWhatASignerOfEachTypeSigned(SignatureType type) {
        var signer = NoteSigner.generate(ORIGIN, type);
        var note = SignedNote.parse(signer.sign(CHECKPOINT, NOW).encode());
        var key = VerifierKey.parse(signer.verifier().toString());
        var signatures = note.verify(List.of(key));
        assertThat(signatures).containsOnlyKeys(key);
        if (type.timestamped()) {
            assertThat(signatures.values())
                    .allSatisfy(signature -> assertThat(signature.time()).isEqualTo(NOW.getEpochSecond()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnotherTextAndAnotherTime(SignatureType type) {
        var signer = NoteSigner.generate(ORIGIN, type);
        var signed = signer.sign(CHECKPOINT, NOW);
        var other = new Checkpoint(ORIGIN, 8, CHECKPOINT.root());
        assertThat(verified(new SignedNote(other.text(), signed.signatures()), signer))
                .isFalse();
        var bytes = signed.signatures().getFirst().signature();
        bytes[7] ^= 1;
        var forged = NoteSignature.of(signer.verifier(), bytes);
        assertThat(verified(new SignedNote(signed.text(), List.of(forged)), signer))
                .isFalse();
    }

    @Test
    void ignoresSignaturesOfUnknownKeysEvenUnderAKnownName() {
        var known = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
        var unknown = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
        var wrong = new NoteSignature(
                "other.example",
                NoteSignature.of(known.verifier(), new byte[64]).payload());
        var note = unknown.sign(CHECKPOINT, NOW).with(List.of(wrong));
        assertThat(verified(note, known)).isFalse();
        var signed = known.sign(CHECKPOINT, NOW);
        assertThat(note.with(signed.signatures()).verify(List.of(known.verifier())))
                .containsExactly(entry(known.verifier(), signed.signatures().getFirst()));
    }

    @Test
    void refusesTheNoteWhenOneTrustedSignatureIsWrong() {
        var good = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
        var bad = NoteSigner.generate("w.example", SignatureType.ED25519);
        var wrong = NoteSignature.of(bad.verifier(), new byte[64]);
        var note = good.sign(CHECKPOINT, NOW).with(List.of(wrong));
        assertThat(verified(note, good)).isTrue();
        assertThat(verified(note, good, bad)).isFalse();
    }

    @Test
    void refusesAVerifierKeyWhoseIdIsNotItsOwn() {
        assertThatExceptionOfType(InvalidLogException.class)
                .isThrownBy(() -> VerifierKey.parse(VKEY.replace("530d903a", "530d903b")));
        assertThatExceptionOfType(InvalidLogException.class)
                .isThrownBy(() -> VerifierKey.parse(VKEY.replace("example.com/foo", "example.com/bar")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a+b", "a\u00a0b", "a\u2003b", "a\tb", "a\u3000"})
    void refusesKeyNamesWithSpacesOrPlus(String name) {
        assertThatExceptionOfType(InvalidLogException.class)
                .isThrownBy(() -> NoteSigner.generate(name, SignatureType.ED25519));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text\n",
                "text\n\n",
                "text\n\n— a AAAAAAE=",
                "text\n\n- a AAAAAAE=\n",
                "text\n\n— a AAAAAA==\n",
                "text\n\n— a AAAAAAE\n",
                "text\n\n— a AAAAAAF=\n",
                "te\txt\n\n— a AAAAAAE=\n",
                "text\r\n\n— a AAAAAAE=\n",
                "text\n\n— AAAAAAE=\n",
                "text\n\n— a AAAAAAE=\n\n",
            })
    void refusesMalformedNotes(String note) {
        assertThatExceptionOfType(InvalidLogException.class).isThrownBy(() -> note(note));
    }

    @Test
    void splitsTextAndSignaturesAtTheLastEmptyLine() {
        assertThat(note("a\n\nb\n\n— a AAAAAAE=\n").text()).isEqualTo("a\n\nb\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"o\n1\n", "\n1\nROOT\n", "o\n01\nROOT\n", "o\n-1\nROOT\n", "o\n1\nAAAA\n", "o\n1\nROOT\n\nx\n"})
    void refusesMalformedCheckpoints(String text) {
        var withRoot = text.replace("ROOT", CHECKPOINT.root().toString());
        assertThatExceptionOfType(InvalidLogException.class).isThrownBy(() -> Checkpoint.parse(withRoot));
    }

    @ParameterizedTest
    @EnumSource
    void readsBackItsKeyFile(SignatureType type) {
        var signer = NoteSigner.generate(ORIGIN, type);
        var other = NoteSigner.generate(ORIGIN, type);
        var read = NoteSigner.parse(signer.secret());
        assertThat(verified(read.sign(CHECKPOINT, NOW), signer)).isTrue();
        assertThat(read).hasToString("NoteSigner[" + signer.verifier() + "]");
        var mixed = signer.verifier() + "\n" + other.secret().lines().toList().getLast() + "\n";
        assertThatExceptionOfType(InvalidLogException.class).isThrownBy(() -> NoteSigner.parse(mixed));
    }

    private static boolean verified(SignedNote note, NoteSigner... trusted) {
        try {
            note.verify(Stream.of(trusted).map(NoteSigner::verifier).toList());
            return true;
        } catch (InvalidLogException e) {
            return false;
        }
    }

    private static boolean verified(List<VerifierKey> keys, byte[] note) {
        try {
            return !SignedNote.parse(note).verify(keys).isEmpty();
        } catch (InvalidLogException e) {
            return false;
        }
    }

    private static SignedNote note(String text) {
        return SignedNote.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
