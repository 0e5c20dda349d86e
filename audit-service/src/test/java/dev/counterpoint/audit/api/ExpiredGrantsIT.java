package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.api.ExportFile.Identity;
import dev.counterpoint.audit.log.PublishedLogIT;
import dev.counterpoint.audit.requests.ActionRequests;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/// An approval counts for a while.
@QuarkusTest
@TestProfile(PublishedLogIT.OwnLog.class)
@WithTestResource(AuditParts.class)
class ExpiredGrantsIT extends GrantRequests {
    @Inject
    ActionRequests requests;

    @Test
    void nothingIsDownloadedOrScannedOnceTheGrantHasEnded() throws Exception {
        // Given
        stored(Asked.of(tenant, "alice"));
        var recipient = Identity.create().recipient();
        var filter = "{\"subject\":\"alice\"}";
        var export = approved(ask("export", filter, "\"recipients\":[\"" + recipient + "\"]"));
        var scan = approved(ask("scan", filter, "\"literals\":[\"thought\"]"));
        // When
        var answer = asker.get("/audit/v1/exports/" + export);
        AuditTables.await(1, "event where action = 'scan' and request = ?", scan);
        requests.forgetNames();
        // Then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("not_granted");
        assertThat(asker.get("/audit/v1/requests/" + scan)
                        .json()
                        .at("/result/status")
                        .asText())
                .isEqualTo("expired");
        assertThat(AuditTables.count("event where request in (?, ?) and personal is not null", export, scan))
                .isZero();
    }
}
