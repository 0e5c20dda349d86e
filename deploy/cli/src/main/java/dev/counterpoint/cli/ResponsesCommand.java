package dev.counterpoint.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Looks at earlier responses.
@Command(name = "responses", description = "Looks at earlier responses.")
final class ResponsesCommand {
    private static final String FROM_THE_START = "-1";

    @Command(
            description = "What happened to a response: attempts, workers, times, tokens, summary. With an admin token;"
                    + " with an API key, the response itself.")
    int show(
            @Mixin ConnectionOptions connection,
            @Option(names = "--content", description = "The response itself, by the API key.") boolean content,
            @Parameters(paramLabel = "ID") String id) {
        boolean story = !content && connection.environment().containsKey(SuiteApi.ADMIN.keyVariable());
        var path = story ? "/admin/responses/" : "/responses/";
        var answer = connection.client(story ? SuiteApi.ADMIN : SuiteApi.OPENAI).get(path + SuiteClient.encoded(id));
        var terminal = connection.terminal();
        if (connection.json()) {
            terminal.line(answer.toString());
        } else if (story) {
            new StoryText(answer).lines().forEach(terminal::line);
        } else {
            terminal.line(answer.toPrettyString());
        }
        return 0;
    }

    @Command(description = "Streams a response again, within an hour of its acceptance.")
    int replay(
            @Mixin ConnectionOptions connection,
            @Option(
                            names = "--reasoning",
                            paramLabel = "MODE",
                            defaultValue = "none",
                            description = "Reasoning to show: ${COMPLETION-CANDIDATES}.")
                    RequestOptions.Reasoning reasoning,
            @Option(
                            names = "--after",
                            paramLabel = "N",
                            defaultValue = FROM_THE_START,
                            description = "Only the events after this number.")
                    long after,
            @Parameters(paramLabel = "ID") String id) {
        var terminal = connection.terminal();
        boolean raw = reasoning == RequestOptions.Reasoning.full && connection.hasKey(SuiteApi.OPENAI_RAW);
        var client = connection.client(raw ? SuiteApi.OPENAI_RAW : SuiteApi.OPENAI);
        var path = "/responses/" + SuiteClient.encoded(id) + "?stream=true"
                + (after < 0 ? "" : "&starting_after=" + after);
        if (connection.json()) {
            client.stream(path, null, event -> terminal.line(event.toString()));
            return 0;
        }
        var printer = new AnswerPrinter(terminal, reasoning);
        client.stream(path, null, printer::accept);
        printer.finish();
        return 0;
    }
}
