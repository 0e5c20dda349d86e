package dev.counterpoint.validator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The validator as a program: `validate [options] FILE | - | URL`. Exit code 0: the stream is right; 1: it is not; 2:
/// it could not be read, or the call was wrong.
public final class ValidatorCommand {
    private static final String USAGE = """
            Validates a stream of the OpenAI Responses API or of Chat Completions.

            usage: validate [options] FILE    a saved stream
                   validate [options] -       a stream on standard input, as from curl -N
                   validate [options] URL     a live stream

              --responses | --chat    whose stream it is; without, the first event says so
              --starting-after N      the stream goes on after event N, as one asked for with starting_after
              --no-done               data: [DONE] may be missing, as it is in OpenAI's own Responses streams
              --usage | --no-usage    Chat: the request asked for usage, or did not
              -H 'NAME: VALUE'        with URL: a header of the request
              -d JSON                 with URL: POST this body
            """;
    private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
    private static final int RIGHT = 0;
    private static final int WRONG = 1;
    private static final int UNUSABLE = 2;

    private final List<String> headers = new ArrayList<>();
    private ValidatorOptions options = ValidatorOptions.DEFAULT;
    private @Nullable String body;
    private @Nullable String source;

    private ValidatorCommand() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.in, System.out));
    }

    /// @return the exit code
    static int run(List<String> arguments, InputStream in, PrintStream out) {
        var command = new ValidatorCommand();
        try {
            command.parse(arguments);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage() + "\n\n" + USAGE);
            return UNUSABLE;
        }
        if (command.source == null) {
            out.println(USAGE);
            return arguments.contains("--help") ? RIGHT : UNUSABLE;
        }
        try (var stream = command.open(command.source, in)) {
            return command.validate(stream, out);
        } catch (IOException | IllegalArgumentException e) {
            out.println("cannot read " + command.source + ": " + e.getMessage());
            return UNUSABLE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNUSABLE;
        }
    }

    private void parse(List<String> arguments) {
        var left = arguments.iterator();
        while (left.hasNext()) {
            var argument = left.next();
            switch (argument) {
                case "--help" -> {
                    source = null;
                    return;
                }
                case "--responses" -> options = options.of(ValidatorOptions.Api.RESPONSES);
                case "--chat" -> options = options.of(ValidatorOptions.Api.CHAT);
                case "--no-done" -> options = options.withoutDone();
                case "--usage" -> options = options.includeUsage(true);
                case "--no-usage" -> options = options.includeUsage(false);
                case "--starting-after" -> options = options.startingAfter(number(value(argument, left)));
                case "-H" -> headers.add(value(argument, left));
                case "-d" -> body = value(argument, left);
                default -> {
                    if (source != null || argument.startsWith("-") && !argument.equals("-")) {
                        throw new IllegalArgumentException("unknown option: " + argument);
                    }
                    source = argument;
                }
            }
        }
    }

    private static String value(String option, Iterator<String> left) {
        if (!left.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return left.next();
    }

    private static long number(String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--starting-after takes a number, not " + value, e);
        }
    }

    private InputStream open(String from, InputStream in) throws IOException, InterruptedException {
        if (from.equals("-")) {
            return new BufferedInputStream(in);
        }
        if (!from.startsWith("http://") && !from.startsWith("https://")) {
            return new BufferedInputStream(Files.newInputStream(Path.of(from)));
        }
        var client = HttpClient.newBuilder().connectTimeout(CONNECT_MAX).build();
        var answer = client.send(request(from), HttpResponse.BodyHandlers.ofInputStream());
        var type = answer.headers().firstValue("content-type").orElse("none");
        if (answer.statusCode() != 200 || !type.startsWith("text/event-stream")) {
            answer.body().close();
            throw new IOException("status " + answer.statusCode() + " with content-type " + type);
        }
        return answer.body();
    }

    private HttpRequest request(String url) {
        var request = HttpRequest.newBuilder(URI.create(url)).header("Accept", "text/event-stream");
        for (var header : headers) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException("-H takes NAME: VALUE");
            }
            request.header(
                    header.substring(0, colon), header.substring(colon + 1).strip());
        }
        return body == null
                ? request.build()
                : request.header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
    }

    /// Violations are told as they come, because a live stream may last.
    private int validate(InputStream stream, PrintStream out) throws IOException {
        var validator = new StreamValidator(options);
        var buffer = new byte[8192];
        int told = 0;
        for (int length = stream.read(buffer); length >= 0; length = stream.read(buffer)) {
            validator.accept(buffer, 0, length);
            told = tell(validator.violations(), told, out);
        }
        var all = validator.end();
        tell(all, told, out);
        out.println(all.isEmpty() ? "The stream is right." : "The stream is wrong: " + count(all.size()) + ".");
        return all.isEmpty() ? RIGHT : WRONG;
    }

    private static int tell(List<StreamViolation> all, int told, PrintStream out) {
        all.subList(told, all.size()).forEach(out::println);
        return all.size();
    }

    private static String count(int violations) {
        var more = violations == StreamViolations.KEPT_MAX ? " or more" : "";
        return violations + more + (violations == 1 ? " complaint" : " complaints");
    }
}
