package dev.counterpoint.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
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
        assertThat(trust(key).verify(note(NOTE))).isInstanceOf(NoteVerdict.Verified.class);
        assertThat(key).hasToString(VKEY);
        assertThat(note(NOTE)).hasToString(NOTE);
    }

    @Test
    void refusesEveryFlippedBitOfANote() {
        var keys = trust(VerifierKey.parse(VKEY));
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
        assertThat(trust(key).verify(note))
                .isInstanceOfSatisfying(
                        NoteVerdict.Verified.class,
                        verified -> assertThat(verified.signers())
                                .containsExactly(new NoteVerdict.Signer(
                                        key, type == SignatureType.ED25519 ? 0 : NOW.getEpochSecond())));
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnotherTextAndAnotherTime(SignatureType type) {
        var signer = NoteSigner.generate(ORIGIN, type);
        var signed = signer.sign(CHECKPOINT, NOW);
        var other = new Checkpoint(ORIGIN, 8, CHECKPOINT.root());
        assertThat(trust(signer.verifier()).verify(new SignedNote(other.text(), signed.signatures())))
                .isInstanceOf(NoteVerdict.Untrusted.class);
        var bytes = signed.signatures().getFirst().signature();
        bytes[7] ^= 1;
        var forged = NoteSignature.of(ORIGIN, signer.verifier().id(), bytes);
        assertThat(trust(signer.verifier()).verify(new SignedNote(signed.text(), List.of(forged))))
                .isInstanceOf(NoteVerdict.Untrusted.class);
    }

    @Test
    void ignoresSignaturesOfUnknownKeysEvenUnderAKnownName() {
        var known = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
        var unknown = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
        var wrong = NoteSignature.of("other.example", known.verifier().id(), new byte[64]);
        var note = unknown.sign(CHECKPOINT, NOW).with(List.of(wrong));
        assertThat(trust(known.verifier()).verify(note))
                .isEqualTo(new NoteVerdict.Untrusted("no signature of a trusted key"));
        var both = note.with(known.sign(CHECKPOINT, NOW).signatures());
        assertThat(trust(known.verifier()).verify(both))
                .isInstanceOfSatisfying(
                        NoteVerdict.Verified.class,
                        verified -> assertThat(verified.note()).isEqualTo(known.sign(CHECKPOINT, NOW)));
    }

    @Test
    void refusesTheNoteWhenOneTrustedSignatureIsWrong() {
        var good = NoteSigner.generate(ORIGIN, SignatureType.ED25519);
        var bad = NoteSigner.generate("w.example", SignatureType.ED25519);
        var wrong = NoteSignature.of("w.example", bad.verifier().id(), new byte[64]);
        var note = good.sign(CHECKPOINT, NOW).with(List.of(wrong));
        assertThat(trust(good.verifier(), bad.verifier()).verify(note)).isInstanceOf(NoteVerdict.Untrusted.class);
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
        var withRoot = text.replace("ROOT", CHECKPOINT.root().base64());
        assertThatExceptionOfType(InvalidLogException.class).isThrownBy(() -> Checkpoint.parse(withRoot));
    }

    private static boolean verified(TrustedKeys keys, byte[] note) {
        try {
            return keys.verify(SignedNote.parse(note)) instanceof NoteVerdict.Verified;
        } catch (InvalidLogException e) {
            return false;
        }
    }

    private static SignedNote note(String text) {
        return SignedNote.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static TrustedKeys trust(VerifierKey... keys) {
        return TrustedKeys.of(List.of(keys));
    }
}
