package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;
import java.util.Set;

/// Body of frame 0. Readers route and bind keys by the fields in clear; content is sealed.
///
/// The job stands here and only here: the record on `jobs.*` is a ticket that points to this frame. So any owner can
/// publish a job again from the log alone, and a prompt crosses the bus once.
///
/// @param tenant id of the tenant; bound into every sealed body of the response
/// @param key id of the API key that asked
/// @param model that was asked for
/// @param acceptedAtMillis milliseconds since 1970; the response's `created_at`
/// @param deadlineMillis milliseconds since 1970 after which the owner ends it
/// @param rawReaders the roles that may open the reasoning lane beside workers and summarizer: `GATEWAY` when the
///     caller is entitled to raw reasoning, `AUDIT` when the response is opted in
/// @param background true when the response goes on without a client
/// @param stored true when a row of the response is kept
/// @param band the queue that all jobs of the response stand in
/// @param sealed the content, part by part
/// @param gateway incarnation of the gateway whose client waits for it, as its beats name it; empty when unknown
/// @param format in which the other frames of the response are written; owners write their decisions in format 1
public record Accepted(
        String tenant,
        String key,
        String model,
        long acceptedAtMillis,
        long deadlineMillis,
        Set<ServiceRole> rawReaders,
        boolean background,
        boolean stored,
        Topic.Band band,
        SealedParts sealed,
        String gateway,
        int format) {
    public Accepted {
        rawReaders = Set.copyOf(rawReaders);
    }

    /// The content of a request. Each part is sealed to its readers.
    ///
    /// @param echo the part of the request that the gateway repeats in the response, sealed to gateways
    /// @param job a [dev.counterpoint.bus.job.GenerationJob], sealed to workers
    /// @param summaryJob a [dev.counterpoint.bus.job.SummaryJob], sealed to summarizers; empty when no summary
    ///     is due
    /// @param auditTerms a [dev.counterpoint.bus.audit.AuditTerms], sealed to the audit service; empty unless
    ///     opted in
    public record SealedParts(byte[] echo, byte[] job, byte[] summaryJob, byte[] auditTerms) {}

    /// The context that a sealed job is bound to.
    public static String jobContext(String tenant, ResponseId response) {
        return "job|" + tenant + "|" + response;
    }

    /// The context that a sealed summary job is bound to.
    public static String summaryContext(String tenant, ResponseId response) {
        return "summary|" + tenant + "|" + response;
    }

    /// True when the response completes only after its summary has ended or was abandoned.
    public boolean summaryDue() {
        return sealed.summaryJob.length > 0;
    }

    /// True when a record of the raw trace is kept.
    public boolean audited() {
        return rawReaders.contains(ServiceRole.AUDIT);
    }

    /// The same without the job, for a service that keeps this in memory while the response runs: the job may be
    /// megabytes, and only workers read it.
    public Accepted withoutJob() {
        var rest = new SealedParts(sealed.echo, new byte[0], sealed.summaryJob, sealed.auditTerms);
        return new Accepted(
                tenant,
                key,
                model,
                acceptedAtMillis,
                deadlineMillis,
                rawReaders,
                background,
                stored,
                band,
                rest,
                gateway,
                format);
    }

    public byte[] encode() {
        return BusProto.Accepted.newBuilder()
                .setTenantBytes(Wire.text(tenant))
                .setKeyBytes(Wire.text(key))
                .setModelBytes(Wire.text(model))
                .setAcceptedAtMillis(acceptedAtMillis)
                .setDeadlineMillis(deadlineMillis)
                .addAllRawReaders(ServiceRole.wireNames(rawReaders))
                .setBackground(Wire.flag(background))
                .setStored(Wire.flag(stored))
                .setEcho(Wire.bytes(sealed.echo))
                .setJob(Wire.bytes(sealed.job))
                .setSummaryJob(Wire.bytes(sealed.summaryJob))
                .setAuditTerms(Wire.bytes(sealed.auditTerms))
                .setBand(band.number())
                .setGatewayBytes(Wire.text(gateway))
                .setFormat(Wire.unlessFirst(format))
                .build()
                .toByteArray();
    }

    public static Accepted decode(byte[] bytes) {
        var in = Wire.parse(BusProto.Accepted.parser(), bytes);
        var sealed = new SealedParts(
                in.getEcho().toByteArray(),
                in.getJob().toByteArray(),
                in.getSummaryJob().toByteArray(),
                in.getAuditTerms().toByteArray());
        return new Accepted(
                in.getTenant(),
                in.getKey(),
                in.getModel(),
                in.getAcceptedAtMillis(),
                in.getDeadlineMillis(),
                ServiceRole.ofWireNames(in.getRawReadersList()),
                in.getBackground() != 0,
                in.getStored() != 0,
                Wire.constant(in.getBand(), Topic.Band.values(), Topic.Band.NORMAL),
                sealed,
                in.getGateway(),
                Frame.knownFormat(in.getFormat()));
    }
}
