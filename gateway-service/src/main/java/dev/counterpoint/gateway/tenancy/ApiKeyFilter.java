package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;

/// Lets requests under `/v1` in with an API key, requests under `/admin` with the admin token, and no others. The
/// filter reads the path that the matched resource declares and not the URL that the client wrote, so no spelling of a
/// URL gets around it.
@Provider
@Priority(Priorities.AUTHENTICATION)
class ApiKeyFilter implements ContainerRequestFilter {
    private final ResourceInfo matched;
    private final KeyCache keys;
    private final CurrentCaller current;
    private final AdminToken adminToken;

    ApiKeyFilter(ResourceInfo matched, KeyCache keys, CurrentCaller current, AdminToken adminToken) {
        this.matched = matched;
        this.keys = keys;
        this.current = current;
        this.adminToken = adminToken;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        switch (area()) {
            case "v1" -> current.set(keys.caller(request.getHeaderString(HttpHeaders.AUTHORIZATION)));
            case "admin" -> requireAdminToken(request);
            default -> throw refused(request);
        }
    }

    private String area() {
        var path = matched.getResourceClass().getAnnotation(Path.class);
        if (path == null) {
            return "";
        }
        var declared = path.value().startsWith("/") ? path.value().substring(1) : path.value();
        return declared.split("/", 2)[0];
    }

    private void requireAdminToken(ContainerRequestContext request) {
        if (!adminToken.isConfigured()) {
            throw refused(request); // a 403 would tell that there could be an admin API
        }
        var given = ApiKey.secret(request.getHeaderString(HttpHeaders.AUTHORIZATION))
                .orElseThrow(() -> new ProblemException(Problem.missingKey()));
        if (!adminToken.is(given)) {
            throw new ProblemException(Problem.invalidKey());
        }
    }

    private static ProblemException refused(ContainerRequestContext request) {
        return new ProblemException(
                Problem.unknownUrl(request.getMethod(), request.getUriInfo().getPath()));
    }
}
