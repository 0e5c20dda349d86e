package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a container reaches of the network.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface NetworkPolicy {
    @JsonTypeName("disabled")
    record Disabled(Others others) implements NetworkPolicy {}

    @JsonTypeName("allowlist")
    record Allowlist(List<String> allowedDomains, @Nullable List<DomainSecret> domainSecrets, Others others)
            implements NetworkPolicy {
        public Allowlist {
            allowedDomains = List.copyOf(allowedDomains);
            domainSecrets = domainSecrets == null ? null : List.copyOf(domainSecrets);
        }
    }

    /// A policy that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements NetworkPolicy {}

    /// A secret that is put into what goes to `domain`.
    record DomainSecret(String domain, String name, String value, Others others) {
        /// The secret stays out of logs.
        @Override
        public String toString() {
            return "DomainSecret[domain=" + domain + ", name=" + name + "]";
        }
    }
}
