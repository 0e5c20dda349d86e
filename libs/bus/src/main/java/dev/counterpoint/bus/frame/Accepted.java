package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.EnumSet;
import java.util.Set;

/// Body of frame 0. What stands in clear is what every reader needs to route and to bind keys; content is sealed.
///
/// The job stands here and only here: the record on `jobs.*` is a ticket that points to this frame. So any owner can
/// publish a job again from the log alone, and a prompt crosses the bus once.
///
/// @param tenant id of the tenant; bound into every sealed body of the response
/// @param key id of the API key that asked
/// @param model that was asked for
/// @param acceptedAtMillis milliseconds since 1970; the response's `created_at`
/// @param deadlineMillis milliseconds since 1970 after which the owner ends it
/// @param rawReaders who beside workers and summarizer may open the reasoning lane: `GATEWAY` when the caller is
///     entitled to raw reasoning, `AUDIT` when the response is opted in
/// @param background whether it goes on without a client
/// @param stored whether a row is kept
/// @param band whose queue its jobs stand in, whoever queues them
/// @param echo what the gateway must remember of the request, sealed to gateways
/// @param job a [dev.counterpoint.bus.job.GenerationJob], sealed to workers
/// @param summaryJob a [dev.counterpoint.bus.job.SummaryJob], sealed to summarizers; empty when no summary is due
/// @param auditTerms a [dev.counterpoint.bus.audit.AuditTerms], sealed to the audit service; empty unless opted in
/// @param gateway incarnation of the gateway whose client waits for it, as its beats name it; empty when unknown
public record Accepted(
        String tenant,
        String key,
        String model,
        long acceptedAtMillis,
        long deadlineMillis,
        Set<Role> rawReaders,
        boolean background,
        boolean stored,
        Topic.Band band,
        byte[] echo,
        byte[] job,
        byte[] summaryJob,
        byte[] auditTerms,
        String gateway) {
    public Accepted {
        rawReaders = Set.copyOf(rawReaders);
    }

    /// What a sealed job is bound to.
    public static String jobContext(String tenant, ResponseId response) {
        return "job|" + tenant + "|" + response;
    }

    /// What a sealed summary job is bound to.
    public static String summaryContext(String tenant, ResponseId response) {
        return "summary|" + tenant + "|" + response;
    }

    /// Whether the response completes only with its summary, or without the hope of one.
    public boolean summaryDue() {
        return summaryJob.length > 0;
    }

    /// Whether a record of the raw trace is kept.
    public boolean audited() {
        return rawReaders.contains(Role.AUDIT);
    }

    /// The same without the job, which only workers read and which may be megabytes: for who keeps it in memory
    /// while the response waits and runs.
    public Accepted withoutJob() {
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
                echo,
                new byte[0],
                summaryJob,
                auditTerms,
                gateway);
    }

    public byte[] encode() {
        return new Fields.Writer()
                .text(1, tenant)
                .text(2, key)
                .text(3, model)
                .number(4, acceptedAtMillis)
                .number(5, deadlineMillis)
                .texts(6, rawReaders.stream().map(Role::wireName).sorted().toList())
                .flag(7, background)
                .flag(8, stored)
                .bytes(9, echo)
                .bytes(10, job)
                .bytes(11, summaryJob.length == 0 ? null : summaryJob)
                .bytes(12, auditTerms.length == 0 ? null : auditTerms)
                .number(13, band.number())
                .text(14, gateway.isEmpty() ? null : gateway)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static Accepted decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var tenant = "";
        var key = "";
        var model = "";
        long acceptedAt = 0;
        long deadline = 0;
        var readers = EnumSet.noneOf(Role.class);
        boolean background = false;
        boolean stored = false;
        var band = Topic.Band.NORMAL;
        byte[] echo = new byte[0];
        byte[] job = new byte[0];
        byte[] summaryJob = new byte[0];
        byte[] auditTerms = new byte[0];
        var gateway = "";
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> tenant = in.text();
                case 2 -> key = in.text();
                case 3 -> model = in.text();
                case 4 -> acceptedAt = in.number();
                case 5 -> deadline = in.number();
                case 6 -> Role.ofWireName(in.text()).ifPresent(readers::add);
                case 7 -> background = in.flag();
                case 8 -> stored = in.flag();
                case 9 -> echo = in.bytes();
                case 10 -> job = in.bytes();
                case 11 -> summaryJob = in.bytes();
                case 12 -> auditTerms = in.bytes();
                case 13 -> band = Topic.Band.of(in.small());
                case 14 -> gateway = in.text();
                default -> in.skip();
            }
        }
        return new Accepted(
                tenant,
                key,
                model,
                acceptedAt,
                deadline,
                readers,
                background,
                stored,
                band,
                echo,
                job,
                summaryJob,
                auditTerms,
                gateway);
    }
}
