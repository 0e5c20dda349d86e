package dev.counterpoint.bus.job;

import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.List;

/// What a summarizer must know of a request; sealed to summarizers inside frame 0.
///
/// @param detail how much to say
/// @param confidential texts that no summary may quote: system and developer messages, names and schemas of tools
/// @param userText what the user said; the user's own words are no secret
public record SummaryJob(Detail detail, List<String> confidential, String userText) {
    public SummaryJob {
        confidential = List.copyOf(confidential);
    }

    /// How much a summary says. Numbers are on the wire: the position here.
    public enum Detail {
        AUTO,
        CONCISE,
        DETAILED
    }

    /// What of a job concerns its summary.
    public static SummaryJob of(Detail detail, GenerationJob job) {
        var confidential = new ArrayList<String>();
        var said = new ArrayList<String>();
        for (var item : job.prompt()) {
            switch (item) {
                case PromptItem.Instructions(String text) -> confidential.add(text);
                case PromptItem.User(String text) -> said.add(text);
                case PromptItem.Assistant _,
                        PromptItem.Reasoning _,
                        PromptItem.Sealed _,
                        PromptItem.Call _,
                        PromptItem.CallOutput _ -> {}
            }
        }
        for (var tool : job.tools()) {
            confidential.add(tool.name());
            confidential.add(tool.description());
            if (tool.parameters() != null) {
                confidential.add(tool.parameters());
            }
        }
        return new SummaryJob(detail, confidential, String.join("\n", said));
    }

    public byte[] encode() {
        return new Fields.Writer()
                .number(1, detail.ordinal())
                .texts(2, confidential)
                .text(3, userText)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such job
    public static SummaryJob decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var detail = Detail.AUTO;
        var confidential = new ArrayList<String>();
        var userText = "";
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> detail = detail(in.small());
                case 2 -> confidential.add(in.text());
                case 3 -> userText = in.text();
                default -> in.skip();
            }
        }
        return new SummaryJob(detail, confidential, userText);
    }

    /// A word of a newer version means what `auto` means.
    private static Detail detail(int number) {
        var all = Detail.values();
        return number >= 0 && number < all.length ? all[number] : Detail.AUTO;
    }

    /// Tells sizes only: prompts are never logged.
    @Override
    public String toString() {
        return "SummaryJob[%s, confidential=%d]".formatted(detail, confidential.size());
    }
}
