package dev.counterpoint.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlogProofTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
    private static final NoteSigner LOG = NoteSigner.generate("audit.example/log", SignatureType.ED25519);
    private static final NoteSigner X1 = NoteSigner.generate("x1.example", SignatureType.ED25519_COSIGNATURE);
    private static final NoteSigner X2 = NoteSigner.generate("x2.example", SignatureType.ML_DSA_44);
    private static final NoteSigner Y = NoteSigner.generate("y.example", SignatureType.ED25519_COSIGNATURE);
    private static final List<MerkleHash> LEAVES =
            TileLogTest.entries(0, 11).stream().map(MerkleHash::ofLeaf).toList();

    @Test
    void readsBackWhatItWrote() {
        var proof = proof(7);
        assertThat(TlogProof.parse(proof.encode())).isEqualTo(proof);
        var withExtra = new TlogProof(Optional.of("AQID"), proof.inclusion(), proof.note());
        assertThat(TlogProof.parse(withExtra.encode())).isEqualTo(withExtra);
        assertThat(new String(withExtra.encode(), StandardCharsets.UTF_8))
                .startsWith("c2sp.org/tlog-proof@v1\nextra AQID\nindex 7\n");
    }

    @Test
    void refusesEveryFlippedBit() {
        var policy = LogPolicy.ofLogs(LOG.verifier());
        var bytes = proof(7).encode();
        for (var bit = 0; bit < 8 * bytes.length; bit++) {
            var flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(verifies(flipped, policy)).as("bit %d", bit).isFalse();
        }
        assertThat(verifies(bytes, policy)).isTrue();
    }

    @Test
    void asksForTheQuorumOfThePolicy() {
        var policy = LogPolicy.parse("""
            # Two levels of groups.
            log %s https://audit.example/log
            witness X1 %s
            witness X2 %s
            witness\tY %s https://y.example/

            group X all X1 X2
            group any-of any X Y
            quorum any-of
            """.formatted(LOG.verifier(), X1.verifier(), X2.verifier(), Y.verifier()));
        assertThat(accepts(policy, List.of())).isFalse();
        assertThat(accepts(policy, List.of(X1))).isFalse();
        assertThat(accepts(policy, List.of(X1, X2))).isTrue();
        assertThat(accepts(policy, List.of(Y))).isTrue();
        var cosignedOnly =
                new SignedNote(checkpoint().text(), List.of(Y.sign(checkpoint().text(), NOW)));
        assertThat(accepts(policy, cosignedOnly)).isFalse();
    }

    @Test
    void refusesACheckpointOfAnotherOrigin() {
        var other = new Checkpoint("other.example", 1, LEAVES.getFirst());
        assertThat(accepts(LogPolicy.ofLogs(LOG.verifier()), LOG.sign(other, NOW)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "quorum X",
                "quorum none\nquorum none",
                "witness X LOG\nquorum X",
                "log X1\nquorum none",
                "witness X X1\ngroup g 2 X\nquorum g",
                "witness X X1\ngroup g 0 X\nquorum g",
                "witness none X1\nquorum none",
                "witness X X1\nwitness Y X1\nquorum X",
                "witness X X1\ngroup X any X\nquorum X",
                "witness X X1\ngroup g any X X\nquorum g",
                "group g any X\nwitness X X1\nquorum g",
                "loq X\nquorum none",
                "log LOG\nlog LOG\nquorum none",
                "quorum\u0001none",
            })
    void refusesMalformedPolicies(String file) {
        var policy = file.replace("X1", X1.verifier().toString())
                .replace("LOG", LOG.verifier().toString());
        assertThatExceptionOfType(InvalidLogException.class).isThrownBy(() -> LogPolicy.parse(policy));
    }

    private static boolean accepts(LogPolicy policy, List<NoteSigner> witnesses) {
        var note = LOG.sign(checkpoint(), NOW);
        var cosignatures = new ArrayList<NoteSignature>();
        witnesses.forEach(witness -> cosignatures.add(witness.sign(note.text(), NOW)));
        return accepts(policy, note.with(cosignatures));
    }

    private static boolean accepts(LogPolicy policy, SignedNote note) {
        try {
            return policy.verify(note).equals(checkpoint());
        } catch (InvalidLogException e) {
            return false;
        }
    }

    private static boolean verifies(byte[] proof, LogPolicy policy) {
        try {
            return TlogProof.parse(proof).inclusion().index() == 7
                    && TlogProof.parse(proof).verify(LEAVES.get(7), policy).equals(checkpoint());
        } catch (InvalidLogException e) {
            return false;
        }
    }

    private static Checkpoint checkpoint() {
        return new Checkpoint(
                "audit.example/log", 11, MerkleTree.ofLeaves(LEAVES).root());
    }

    private static TlogProof proof(long index) {
        var inclusion = MerkleTree.ofLeaves(LEAVES).inclusion(index);
        return new TlogProof(Optional.empty(), inclusion, LOG.sign(checkpoint(), NOW));
    }
}
