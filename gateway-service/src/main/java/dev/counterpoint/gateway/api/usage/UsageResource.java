package dev.counterpoint.gateway.api.usage;

import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.tenancy.UsageLedger;
import dev.counterpoint.openai.json.WireJson;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/// The report of use by tenants and keys, by day and model.
@Path("/admin/usage")
@RunOnVirtualThread
public class UsageResource {
    private static final int LINES_MAX = 100_000;
    private static final String CSV_HEAD =
            "day,tenant,key,model,requests,input_tokens,cached_tokens,output_tokens,reasoning_tokens\r\n";

    private final UsageLedger usage;

    UsageResource(UsageLedger usage) {
        this.usage = usage;
    }

    @GET
    public Response report(@BeanParam UsageParameters parameters) {
        boolean csv = parameters.csv();
        var lines = usage.report(parameters.question(), LINES_MAX + 1);
        if (lines.size() > LINES_MAX) {
            throw RequestRules.invalid("to", "the report has more than " + LINES_MAX + " lines; ask for fewer days.");
        }
        return csv ? answer("text/csv", csv(lines)) : answer("application/jsonl", jsonLines(lines));
    }

    private static Response answer(String type, String text) {
        return Response.ok(text.getBytes(StandardCharsets.UTF_8), type + ";charset=utf-8")
                .build();
    }

    private static String jsonLines(List<UsageLedger.Line> lines) {
        return lines.stream().map(line -> WireJson.write(line) + "\n").collect(Collectors.joining());
    }

    private static String csv(List<UsageLedger.Line> lines) {
        return lines.stream()
                .map(line -> "%s,%s,%s,%s,%d,%d,%d,%d,%d\r\n"
                        .formatted(
                                line.day(),
                                quoted(line.tenant()),
                                quoted(line.key()),
                                quoted(line.model()),
                                line.requests(),
                                line.inputTokens(),
                                line.cachedTokens(),
                                line.outputTokens(),
                                line.reasoningTokens()))
                .collect(Collectors.joining("", CSV_HEAD, ""));
    }

    private static String quoted(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
        return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
