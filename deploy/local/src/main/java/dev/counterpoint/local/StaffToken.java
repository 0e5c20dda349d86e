package dev.counterpoint.local;

import dev.counterpoint.infra.RepositoryRoot;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/// Command that prints a token for a member of staff; the script `token` runs it. Exit status: 0 printed, 1
/// impossible, 2 wrong options.
public final class StaffToken {
    private static final String USAGE = """
            usage: ./deploy/local/token --role ROLE [--role ROLE …] --subject NAME [--lifetime 1h]

              --role ROLE      compliance.search, compliance.read, compliance.erase, compliance.approve,
                               compliance.hold, compliance.export or auditor
              --subject NAME   who it is for; stands in the access log
              --lifetime TIME  such as 15m, 8h or 7d (default 1h, at most 30d)
            """;
    private static final List<String> ROLES = List.of(
            "compliance.search",
            "compliance.read",
            "compliance.erase",
            "compliance.approve",
            "compliance.hold",
            "compliance.export",
            "auditor");
    private static final Duration LIFETIME_MAX = Duration.ofDays(30);

    record Wanted(String subject, List<String> roles, Duration lifetime) {
        /// @throws IllegalArgumentException with a sentence for the user
        static Wanted parse(String... arguments) {
            Deque<String> rest = new ArrayDeque<>(List.of(arguments));
            List<String> roles = new ArrayList<>();
            var subject = "";
            var lifetime = "1h";
            while (!rest.isEmpty()) {
                var option = rest.pop();
                if (!List.of("--role", "--subject", "--lifetime").contains(option)) {
                    throw new IllegalArgumentException("unknown option " + option);
                }
                if (rest.isEmpty()) {
                    throw new IllegalArgumentException(option + " needs a value");
                }
                switch (option) {
                    case "--role" -> roles.add(role(rest.pop()));
                    case "--subject" -> subject = rest.pop();
                    default -> lifetime = rest.pop();
                }
            }
            if (roles.isEmpty() || subject.isEmpty()) {
                throw new IllegalArgumentException("--role and --subject are needed");
            }
            return new Wanted(subject, List.copyOf(roles), duration(lifetime));
        }

        private static String role(String role) {
            if (!ROLES.contains(role)) {
                throw new IllegalArgumentException("--role is one of " + String.join(", ", ROLES) + ", not " + role);
            }
            return role;
        }

        private static Duration duration(String text) {
            try {
                var upper = text.toUpperCase(Locale.ROOT);
                var duration = Duration.parse(upper.endsWith("D") ? "P" + upper : "PT" + upper);
                if (duration.isPositive() && duration.compareTo(LIFETIME_MAX) <= 0) {
                    return duration;
                }
            } catch (DateTimeParseException wrong) {
                // Said below.
            }
            throw new IllegalArgumentException("--lifetime is 1s to 30d, not " + text);
        }
    }

    private StaffToken() {}

    public static void main(String[] arguments) {
        try {
            var wanted = Wanted.parse(arguments);
            var state = StateFolder.in(RepositoryRoot.find().resolve("deploy/local/.state"));
            System.out.println(StaffIssuer.of(state).token(wanted.subject, wanted.roles, wanted.lifetime));
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage() + "\n\n" + USAGE.stripTrailing());
            System.exit(2);
        } catch (IllegalStateException failure) {
            System.err.println(failure.getMessage());
            System.exit(1);
        }
    }
}
