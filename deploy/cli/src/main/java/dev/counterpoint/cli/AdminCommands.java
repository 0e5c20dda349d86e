package dev.counterpoint.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// The commands for operators.
final class AdminCommands {
    private static final String NEEDS = " Needs COUNTERPOINT_ADMIN_TOKEN.";
    private static final String LIMITS =
            " Limits are requests_per_minute, tokens_per_minute, tokens_per_day and concurrent_streams; null for none.";
    private static final String TENANTS = "/admin/tenants";
    private static final String ID = "Id or name.";

    private AdminCommands() {}

    @Command(name = "tenants", description = "Administers tenants." + NEEDS)
    static final class Tenants {
        private static final String[] SHOWN = {
            "id", "name", "requests_per_minute", "tokens_per_minute", "tokens_per_day", "concurrent_streams"
        };

        @Command(description = "Lists the tenants.")
        int list(@Mixin ConnectionOptions connection) {
            return connection.print(all(connection.client(SuiteApi.ADMIN), TENANTS), SHOWN);
        }

        @Command(description = "Makes a tenant, such as: tenants create NAME --set tokens_per_day=100000." + LIMITS)
        int create(
                @Mixin ConnectionOptions connection,
                @Mixin MemberOptions members,
                @Parameters(paramLabel = "NAME") String name) {
            var body = members.body().put("name", name);
            return connection.print(connection.client(SuiteApi.ADMIN).send("POST", TENANTS, body), SHOWN);
        }

        @Command(description = "Changes a tenant." + LIMITS)
        int change(
                @Mixin ConnectionOptions connection,
                @Mixin MemberOptions members,
                @Parameters(paramLabel = "TENANT", description = ID) String tenant) {
            var client = connection.client(SuiteApi.ADMIN);
            return connection.print(client.send("PATCH", tenant(client, tenant), members.body()), SHOWN);
        }

        @Command(description = "Deletes a tenant and all that is stored for it.")
        int delete(
                @Mixin ConnectionOptions connection,
                @Parameters(paramLabel = "TENANT", description = ID) String tenant) {
            var client = connection.client(SuiteApi.ADMIN);
            return connection.print(client.send("DELETE", tenant(client, tenant), null), "id", "deleted");
        }
    }

    @Command(name = "keys", description = "Administers the API keys of a tenant." + NEEDS)
    static final class ApiKeys {
        @Command(description = "Lists the keys of a tenant, without their secrets.")
        int list(
                @Mixin ConnectionOptions connection,
                @Parameters(paramLabel = "TENANT", description = ID) String tenant) {
            var client = connection.client(SuiteApi.ADMIN);
            return connection.print(
                    all(client, tenant(client, tenant) + "/keys"),
                    "id",
                    "name",
                    "project",
                    "prefix",
                    "scopes",
                    "audit",
                    "expires_at",
                    "revoked_at");
        }

        @Command(
                description = "Makes a key and prints its secret this once, such as: keys create TENANT --set name=ci"
                        + " --set scopes=reasoning:summary,webhooks. Also project, audit (never, ask, always),"
                        + " expires_at." + LIMITS)
        int create(
                @Mixin ConnectionOptions connection,
                @Mixin MemberOptions members,
                @Parameters(paramLabel = "TENANT", description = ID) String tenant) {
            var client = connection.client(SuiteApi.ADMIN);
            var made = client.send("POST", tenant(client, tenant) + "/keys", members.body());
            connection
                    .terminal()
                    .line(
                            connection.json()
                                    ? made.toString()
                                    : made.path("secret").asText());
            return 0;
        }

        @Command(description = "Revokes a key.")
        int revoke(
                @Mixin ConnectionOptions connection,
                @Parameters(paramLabel = "TENANT", description = ID) String tenant,
                @Parameters(paramLabel = "KEY", description = "Its id.") String key) {
            var client = connection.client(SuiteApi.ADMIN);
            var path = tenant(client, tenant) + "/keys/" + SuiteClient.encoded(key);
            return connection.print(client.send("DELETE", path, null), "id");
        }
    }

    /// All entries of a list, page by page.
    private static ArrayNode all(SuiteClient client, String path) {
        var all = JsonNodeFactory.instance.arrayNode();
        var after = "";
        JsonNode page;
        do {
            page = client.get(path + "?limit=100" + after);
            page.path("data").forEach(all::add);
            after = "&after=" + SuiteClient.encoded(page.path("last_id").asText());
        } while (page.path("has_more").asBoolean());
        return all;
    }

    /// The path of a tenant by its id or its name.
    static String tenant(SuiteClient client, String idOrName) {
        for (var tenant : all(client, TENANTS)) {
            if (idOrName.equals(tenant.path("id").asText())
                    || idOrName.equals(tenant.path("name").asText())) {
                return TENANTS + "/" + SuiteClient.encoded(tenant.path("id").asText());
            }
        }
        throw CommandFailure.refused("There is no tenant '" + idOrName + "'.");
    }
}
