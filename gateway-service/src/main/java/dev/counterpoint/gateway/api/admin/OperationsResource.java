package dev.counterpoint.gateway.api.admin;

import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.http.JsonAnswer;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What this gateway knows of workers, queues and refused requests.
@Path("/admin")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class OperationsResource {
    private final FleetMembership fleet;
    private final Admission admission;
    private final RefusalCounts refusals;

    OperationsResource(FleetMembership fleet, Admission admission, RefusalCounts refusals) {
        this.fleet = fleet;
        this.admission = admission;
        this.refusals = refusals;
    }

    @GET
    @Path("workers")
    public Response workers() {
        var now = Instant.now();
        return answer(fleet.workers().stream()
                .map(worker -> AdminViews.Worker.of(worker, now))
                .toList());
    }

    /// By band, in the order of their shares.
    @GET
    @Path("queues")
    public Response queues() {
        long now = System.currentTimeMillis();
        return answer(Arrays.stream(Band.values())
                .map(band -> {
                    var backlog = admission.backlog(band);
                    var name = band.name().toLowerCase(Locale.ROOT);
                    return new AdminViews.Queue(name, backlog.jobs(), backlog.ageSeconds(now));
                })
                .toList());
    }

    @GET
    @Path("refusals")
    public Response refusals() {
        return answer(refusals.refusals());
    }

    private Response answer(List<?> data) {
        return JsonAnswer.ok(new AdminViews.GatewayView("list", fleet.self(), data));
    }
}
