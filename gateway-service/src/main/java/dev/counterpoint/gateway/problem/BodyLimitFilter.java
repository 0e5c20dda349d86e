package dev.counterpoint.gateway.problem;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;

/// Holds every resource to the limit of bodies.
@Provider
class BodyLimitFilter implements ContainerRequestFilter {
    private final BodyLimit limit;

    BodyLimitFilter(BodyLimit limit) {
        this.limit = limit;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        request.setEntityStream(limit.limit(request.getEntityStream()));
    }
}
