package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.DeniedRequests;
import dev.counterpoint.audit.log.LogFaultException;
import dev.counterpoint.audit.log.PublishedLog;
import dev.counterpoint.audit.log.Sequencer;
import dev.counterpoint.audit.problem.AuditProblem;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An answer leaves once a published checkpoint covers its entries, so that they cannot be removed afterwards.
/// Otherwise it is a 503.
class PublishedAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(PublishedAnswers.class);

    private final Sequencer sequencer;
    private final PublishedLog log;

    PublishedAnswers(Sequencer sequencer, PublishedLog log) {
        this.sequencer = sequencer;
        this.log = log;
    }

    @ServerResponseFilter
    public Uni<Void> publish(ContainerResponseContext answer, RoutingContext http) {
        var entries = DeniedRequests.entries(http);
        return entries.isEmpty()
                ? Uni.createFrom().voidItem()
                : Uni.createFrom()
                        .voidItem()
                        .invoke(() -> publish(answer, entries))
                        .runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    }

    private void publish(ContainerResponseContext answer, List<String> entries) {
        var refusal = AuditProblem.unavailable();
        try {
            sequencer.publish();
            if (log.holds(entries)) {
                return;
            }
            LOG.error("an entry is not in the audit log, so its answer does not leave entries={}", entries);
        } catch (LogFaultException e) {
            refusal = AuditProblem.logFault(e.kind());
        } catch (RuntimeException e) {
            LOG.warn("entries are not published cause={}", e.getClass().getName());
        }
        var problem = refusal.toResponse();
        answer.setStatus(problem.getStatus());
        answer.getHeaders().putAll(problem.getHeaders());
        answer.setEntity(problem.getEntity());
    }
}
