package dev.counterpoint.cli;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// An API of the suite, and the variables that hold its address and key, as `deploy/local/up` writes them.
enum SuiteApi {
    /// OpenAI's API. Its paths begin after `/v1`.
    OPENAI("OPENAI_BASE_URL", "OPENAI_API_KEY"),
    /// The same with a key that may read raw reasoning.
    OPENAI_RAW("OPENAI_BASE_URL", "COUNTERPOINT_RAW_API_KEY"),
    ADMIN("COUNTERPOINT_URL", "COUNTERPOINT_ADMIN_TOKEN"),
    AUDIT("COUNTERPOINT_AUDIT_URL", "COUNTERPOINT_COMPLIANCE_TOKEN");

    private final String urlVariable;
    private final String keyVariable;

    SuiteApi(String urlVariable, String keyVariable) {
        this.urlVariable = urlVariable;
        this.keyVariable = keyVariable;
    }

    String keyVariable() {
        return keyVariable;
    }

    Optional<String> key(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(keyVariable)).filter(key -> !key.isBlank());
    }

    /// The address without a slash at its end. The admin API has that of the gateway, so `OPENAI_BASE_URL` does too.
    String url(Map<String, String> environment) {
        var found = environment.get(urlVariable);
        if (found == null && this == ADMIN) {
            found = Objects.requireNonNullElse(environment.get(OPENAI.urlVariable), "")
                    .replaceFirst("/v1/*$", "");
        }
        if (found == null || found.isBlank()) {
            throw CommandFailure.notAsked("No address: set " + urlVariable + " or give --url.");
        }
        return found.replaceFirst("/+$", "");
    }
}
