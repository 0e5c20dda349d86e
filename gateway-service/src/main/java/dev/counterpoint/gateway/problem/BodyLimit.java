package dev.counterpoint.gateway.problem;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// How long a body may be, and the end of one that does not say its length and goes on too long.
@ApplicationScoped
class BodyLimit {
    private static final long SKIPPED_AT_ONCE = 8192;

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

    /// The same body; reading on past the limit throws the refusal.
    InputStream limit(InputStream body) {
        return new Limited(body);
    }

    private interface Read {
        int next() throws IOException;
    }

    private final class Limited extends FilterInputStream {
        private long read;

        private Limited(InputStream body) {
            super(body);
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

        /// Whatever keeps a body from coming whole, its sender is gone or too slow: no fault of ours, and nobody
        /// to tell.
        private int unlessBrokenOff(Read read) throws IOException {
            try {
                return read.next();
            } catch (IOException e) {
                throw new ProblemException(Problem.invalidRequest(null, "The request's body broke off."));
            }
        }

        private void count(int more) throws IOException {
            read += more;
            if (!allows(read)) {
                // A sender that is cut off in the middle often misses our answer, so it may go on for as much
                // again.
                for (long room = bytesMax; room > 0; ) {
                    long skipped = in.skip(Math.min(room, SKIPPED_AT_ONCE));
                    room = skipped == 0 ? 0 : room - skipped;
                }
                throw new ProblemException(problem());
            }
        }
    }
}
