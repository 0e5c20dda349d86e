package dev.counterpoint.bus.access;

import static org.apache.kafka.common.acl.AclOperation.ALTER;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/// What each service may do on the broker: what it does, and nothing else. Every service makes the shared topics
/// that are missing, so all may create those, by name; nobody may change their settings.
///
/// @param resource topic or group
/// @param pattern how `name` is meant
/// @param operations that are allowed; reading, writing and changing include describing
record AccessRules(ResourceType resource, PatternType pattern, String name, Set<AclOperation> operations) {
    private static final String JOBS = "jobs.";
    private static final String WORKER_GROUPS = "workers.";
    private static final String SUMMARIZER_GROUPS = "summarizer";
    private static final String AUDIT_GROUPS = "audit-service";

    static Set<AclBinding> of(ServiceRole role, String account) {
        return Stream.of(created(), checked(role), used(role))
                .flatMap(rules -> rules)
                .flatMap(rule -> rule.bindings(account))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<AccessRules> created() {
        return Topic.shared(Topic.FRAMES_PER_GATEWAY).map(topic -> topic(topic.name(), CREATE));
    }

    /// Gateways serve nobody before they know that the topics lose nothing.
    private static Stream<AccessRules> checked(ServiceRole role) {
        return role == ServiceRole.GATEWAY
                ? Topic.shared(Topic.FRAMES_PER_GATEWAY).map(topic -> topic(topic.name(), DESCRIBE_CONFIGS))
                : Stream.empty();
    }

    private static Stream<AccessRules> used(ServiceRole role) {
        return switch (role) {
            case GATEWAY ->
                Stream.of(
                        topic(Topic.FRAMES, READ, WRITE, ALTER),
                        topic(Topic.CONTROL, WRITE),
                        topic(Topic.MODELS, READ, WRITE),
                        topic(Topic.AUDIT, WRITE),
                        topic(Topic.ACCESS_LOG, WRITE),
                        topic(Topic.AUDIT_LOG, READ),
                        topic(Topic.SUSPECTS, READ, WRITE),
                        topics(JOBS, WRITE));
            case WORKER ->
                Stream.of(
                        topic(Topic.FRAMES, READ, WRITE),
                        topic(Topic.CONTROL, READ),
                        topic(Topic.MODELS, WRITE),
                        topic(Topic.AUDIT, WRITE),
                        topics(JOBS, READ, CREATE, ALTER),
                        groups(WORKER_GROUPS, READ),
                        topic(Topic.DRAFT_ANSWERS, WRITE));
            case SUMMARIZER ->
                Stream.of(
                        topic(Topic.FRAMES, READ, WRITE),
                        topic(Topic.MODELS, READ, WRITE),
                        topics(JOBS, WRITE),
                        topic(Topic.DRAFT_ANSWERS, READ),
                        groups(SUMMARIZER_GROUPS, READ));
            case AUDIT ->
                Stream.of(
                        // What is stored leaves the topic, and what is erased is never forgotten.
                        topic(Topic.AUDIT, READ, DELETE),
                        topic(Topic.ERASURES, READ, WRITE),
                        topic(Topic.AUDIT_LOG, READ, WRITE),
                        topic(Topic.ACCESS_LOG, READ),
                        topic(Topic.MODELS, WRITE),
                        groups(AUDIT_GROUPS, READ));
        };
    }

    private static AccessRules topic(String name, AclOperation... operations) {
        return new AccessRules(ResourceType.TOPIC, PatternType.LITERAL, name, Set.of(operations));
    }

    private static AccessRules topics(String prefix, AclOperation... operations) {
        return new AccessRules(ResourceType.TOPIC, PatternType.PREFIXED, prefix, Set.of(operations));
    }

    private static AccessRules groups(String prefix, AclOperation... operations) {
        return new AccessRules(ResourceType.GROUP, PatternType.PREFIXED, prefix, Set.of(operations));
    }

    private Stream<AclBinding> bindings(String account) {
        return Stream.concat(operations.stream(), Stream.of(DESCRIBE))
                .distinct()
                .map(operation -> new AclBinding(
                        new ResourcePattern(resource, name, pattern),
                        new AccessControlEntry("User:" + account, "*", operation, AclPermissionType.ALLOW)));
    }
}
