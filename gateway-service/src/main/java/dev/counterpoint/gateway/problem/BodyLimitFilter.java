package dev.counterpoint.gateway.problem;

import dev.counterpoint.servicekit.HeadFault;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import java.util.List;

/// Decodes every body, and holds it to its limits.
@Provider
class BodyLimitFilter implements ContainerRequestFilter {
    private final BodyLimit limit;

    BodyLimitFilter(BodyLimit limit) {
        this.limit = limit;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        var encodings = request.getHeaders().getOrDefault(HttpHeaders.CONTENT_ENCODING, List.of());
        request.setEntityStream(limit.limit(request.getEntityStream(), HeadFault.coding(encodings)));
    }
}
