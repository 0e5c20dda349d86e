package dev.counterpoint.harmony.tokenizer;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/// The vocabulary file inside the jtokkit jar: a line per token with its bytes in base64, a blank and its rank.
final class VocabularyFile {
    private static final String RESOURCE = "/com/knuddels/jtokkit/o200k_base.tiktoken";
    private static final String SHA_256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d";
    private static final byte[] SEXTETS = sextets();

    private VocabularyFile() {}

    /// @throws IllegalStateException when the file is missing or not the one gpt-oss was trained with
    static byte[] read() {
        try (InputStream in = VocabularyFile.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("vocabulary not on the class path: " + RESOURCE);
            }
            var file = in.readAllBytes();
            var digest = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(file));
            if (!digest.equals(SHA_256)) {
                throw new IllegalStateException("vocabulary has SHA-256 " + digest + ", expected " + SHA_256);
            }
            return file;
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("vocabulary cannot be read", e);
        }
    }

    /// Writes all tokens' bytes one after another, and where each begins and the last ends. Ranks ascend from 0 without
    /// a gap, as the checksum vouches.
    ///
    /// @return the end of the last token's bytes
    static int readRanks(byte[] file, byte[] bytes, int[] starts) {
        int id = 0;
        int out = 0;
        int at = 0;
        while (at < file.length) {
            int bits = 0;
            int count = 0;
            for (int c = file[at]; c != ' '; c = file[++at]) {
                if (c == '=') {
                    continue;
                }
                bits = bits << 6 | SEXTETS[c];
                count += 6;
                if (count >= 8) {
                    count -= 8;
                    bytes[out++] = (byte) (bits >>> count);
                }
            }
            starts[++id] = out;
            while (file[at] != '\n') {
                at++;
            }
            at++;
        }
        if (id != SpecialTokens.FIRST) {
            throw new IllegalStateException("vocabulary has " + id + " text tokens, expected " + SpecialTokens.FIRST);
        }
        return out;
    }

    private static byte[] sextets() {
        var digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        var sextets = new byte[128];
        Arrays.fill(sextets, (byte) -1);
        for (int i = 0; i < digits.length(); i++) {
            sextets[digits.charAt(i)] = (byte) i;
        }
        return sextets;
    }
}
