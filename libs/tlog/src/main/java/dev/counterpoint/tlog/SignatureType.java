package dev.counterpoint.tlog;

/// Kinds of note signatures that this library reads and writes.
///
/// Sources: <https://c2sp.org/signed-note#signature-types>, <https://c2sp.org/tlog-cosignature>
public enum SignatureType {
    /// Ed25519 over the note's text.
    ED25519(0x01, "Ed25519", "302a300506032b6570032100", 32, 64),
    /// Ed25519 over the checkpoint and a time: a witness's cosignature.
    ED25519_COSIGNATURE(0x04, "Ed25519", "302a300506032b6570032100", 32, 8 + 64),
    /// ML-DSA-44 over the checkpoint's tree, the signer's name and a time. For logs and for witnesses.
    ML_DSA_44(0x06, "ML-DSA-44", "30820532300b060960864801650304031103820521" + "00", 1312, 8 + 2420);

    final int id;
    final String algorithm;
    /// What stands before the raw key in its X.509 encoding (SubjectPublicKeyInfo).
    final String keyPrefix;
    final int keyLength;
    final int signatureLength;

    SignatureType(int id, String algorithm, String keyPrefix, int keyLength, int signatureLength) {
        this.id = id;
        this.algorithm = algorithm;
        this.keyPrefix = keyPrefix;
        this.keyLength = keyLength;
        this.signatureLength = signatureLength;
    }

    boolean timestamped() {
        return this != ED25519;
    }

    static SignatureType of(int id) {
        for (var type : values()) {
            if (type.id == id) {
                return type;
            }
        }
        throw new InvalidLogException("unknown signature type " + id);
    }
}
