package dev.counterpoint.gateway.problem;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.servicekit.ProblemException;
import io.airlift.compress.zstd.ZstdInputStream;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.brotli.dec.BrotliInputStream;
import org.jspecify.annotations.Nullable;

/// How long a body may be, as it comes and decoded, and the end of one that does not say its length and is too long.
@ApplicationScoped
class BodyLimit {
    /// The codings in which a body may come.
    static final List<String> CODINGS = List.of("gzip", "deflate", "br", "zstd");

    private static final long SKIPPED_AT_ONCE = 8192;
    /// How many times as long as its coded form a decoded body may be. Long conversations have some 10.
    private static final int RATIO_MAX = 200;
    /// Up to this length the ratio says nothing.
    private static final long SMALL = 1 << 20;

    private final long bytesMax;

    BodyLimit(GatewayConfig config) {
        bytesMax = config.bodyBytesMax();
    }

    boolean allows(long bytes) {
        return bytes <= bytesMax;
    }

    Problem problem() {
        return Problem.tooLarge(bytesMax);
    }

    /// The same body, decoded; reading on past a limit throws the refusal.
    ///
    /// @param coding empty for none
    InputStream limit(InputStream body, String coding) {
        var sent = new Limited(body, null);
        return coding.isEmpty() ? sent : new Limited(new Decoded(sent, coding), sent);
    }

    private interface Read {
        int next() throws IOException;
    }

    private final class Limited extends FilterInputStream {
        private final @Nullable Limited coded;
        private long read;

        /// @param coded the form in which the body was sent, if this is another
        private Limited(InputStream body, @Nullable Limited coded) {
            super(body);
            this.coded = coded;
        }

        @Override
        public int read() throws IOException {
            int next = unlessBrokenOff(super::read);
            count(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int got = unlessBrokenOff(() -> super.read(into, from, length));
            count(Math.max(got, 0));
            return got;
        }

        /// A body breaks off because its sender is gone or too slow, or it is damaged. That is the request's fault.
        private int unlessBrokenOff(Read read) throws IOException {
            try {
                return read.next();
            } catch (ProblemException e) {
                throw e; // of the coded form
            } catch (IOException | RuntimeException e) {
                var why = coded == null ? "broke off." : "cannot be decoded as its 'Content-Encoding' says.";
                throw new ProblemException(Problem.invalidRequest(null, "The request's body " + why));
            }
        }

        private void count(int more) throws IOException {
            read += more;
            long max = coded == null ? bytesMax : Math.min(bytesMax, Math.max(SMALL, RATIO_MAX * coded.read));
            if (read > max) {
                // A sender that is cut off in the middle often misses our answer, so it may go on for as much
                // again.
                var sent = coded == null ? in : coded.in;
                for (long room = bytesMax; room > 0; ) {
                    long skipped = sent.skip(Math.min(room, SKIPPED_AT_ONCE));
                    room = skipped == 0 ? 0 : room - skipped;
                }
                throw new ProblemException(Problem.tooLarge(max));
            }
        }
    }

    /// Opens its decoder at the first read: that needs the body's first bytes, for which a filter must not wait.
    private static final class Decoded extends InputStream {
        private final InputStream coded;
        private final String coding;
        private @Nullable InputStream decoder;

        private Decoded(InputStream coded, String coding) {
            this.coded = coded;
            this.coding = coding;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (decoder == null) {
                decoder = switch (coding) {
                    case "gzip" -> new GZIPInputStream(coded);
                    case "deflate" -> new InflaterInputStream(coded);
                    case "br" -> new BrotliInputStream(coded);
                    case "zstd" -> new ZstdInputStream(coded);
                    default -> throw new IllegalStateException(coding);
                };
            }
            return decoder.read(into, from, length);
        }
    }
}
