package dev.counterpoint.bus.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Numbered;
import dev.counterpoint.bus.wire.Wire;
import org.jspecify.annotations.Nullable;

/// One record of the topic `suspects`, signed by the gateway that owns the response: an attempt lost its worker before
/// its first token. Operators read here which jobs crash workers, and every gateway which keys it refuses for a while.
/// Names no content.
///
/// @param response whose job it is
/// @param key id of the API key that asked
/// @param tenant id of the tenant
/// @param model that was asked for
/// @param attempt that was lost, from 1
/// @param atMillis milliseconds since 1970 by the gateway's clock
/// @param finding what was found
/// @param ended true when the response ended for it, as `job_crashed_worker`
/// @param worker incarnation of the worker that was lost; null when none had the attempt
public record SuspectReport(
        ResponseId response,
        String key,
        String tenant,
        String model,
        int attempt,
        long atMillis,
        Finding finding,
        boolean ended,
        @Nullable String worker) {
    private static final int VERSION = 1;

    /// What an owner finds about a job. Positions are on the wire and never change.
    public enum Finding implements Numbered {
        /// Its worker died before the attempt had a token.
        WORKER_DIED,
        /// Its worker lives, and its engine hangs without a token of the attempt.
        ENGINE_HUNG,
        /// No worker got as far as the attempt's fence, or one refused the job.
        NEVER_FENCED,
        /// From earlier versions, and ignored: an attempt that ran alone brought a token.
        CLEARED;

        @Override
        public int number() {
            return ordinal() + 1;
        }
    }

    public byte[] encode() {
        var out = BusProto.SuspectReport.newBuilder()
                .setVersion(VERSION)
                .setResponse(response.toString())
                .setKeyBytes(Wire.text(key))
                .setTenantBytes(Wire.text(tenant))
                .setModelBytes(Wire.text(model))
                .setAttempt(attempt)
                .setAtMillis(atMillis)
                .setFinding(finding.number())
                .setEnded(Wire.flag(ended));
        if (worker != null) {
            out.setWorkerBytes(Wire.text(worker));
        }
        return out.build().toByteArray();
    }

    public static SuspectReport decode(byte[] bytes) {
        var in = Wire.parse(BusProto.SuspectReport.parser(), bytes, VERSION);
        return new SuspectReport(
                Wire.response(in.getResponse()),
                in.getKey(),
                in.getTenant(),
                in.getModel(),
                Wire.small(in.getAttempt()),
                in.getAtMillis(),
                Wire.constant(in.getFinding(), Finding.values()),
                in.getEnded() != 0,
                in.hasWorker() ? in.getWorker() : null);
    }
}
