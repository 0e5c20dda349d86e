package dev.counterpoint.bus.job;

import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Numbered;
import dev.counterpoint.bus.wire.Wire;
import java.util.ArrayList;
import java.util.List;

/// The task of a summarizer; sealed to summarizers inside frame 0.
///
/// @param detail the length of the summary
/// @param confidential texts that no summary may quote: system and developer messages, names and schemas of tools,
///     and for a written summary also what calls were given and gave back, and earlier reasoning. A described summary
///     cannot quote anything and does not look at them; a summarizer of an older version judges by them, and must
///     still find them
/// @param userText the user's latest message: the language of the summary, and the only text that it may quote
/// @param tier the tier that was asked for; unnamed where nobody asked, which means described
public record SummaryJob(Detail detail, List<String> confidential, String userText, SummaryTier tier) {
    public SummaryJob {
        confidential = List.copyOf(confidential);
    }

    /// Of no tier by name.
    public SummaryJob(Detail detail, List<String> confidential, String userText) {
        this(detail, confidential, userText, SummaryTier.UNNAMED);
    }

    /// The lengths of a summary. Positions are on the wire and never change.
    public enum Detail implements Numbered {
        AUTO,
        CONCISE,
        DETAILED
    }

    /// Takes the parts of a job that a described summary needs.
    public static SummaryJob of(Detail detail, GenerationJob job) {
        return of(detail, SummaryTier.UNNAMED, job);
    }

    /// Takes the parts of a job that its summary needs.
    public static SummaryJob of(Detail detail, SummaryTier tier, GenerationJob job) {
        boolean written = tier == SummaryTier.WRITTEN;
        var confidential = new ArrayList<String>();
        var userText = "";
        for (var item : job.prompt()) {
            switch (item) {
                case PromptItem.Instructions(String text) -> confidential.add(text);
                case PromptItem.User(String text) -> userText = text;
                case PromptItem.Illustrated shown -> userText = shown.text();
                case PromptItem.Reasoning reasoning when written -> confidential.add(reasoning.text());
                case PromptItem.Call call when written -> confidential.add(call.arguments());
                case PromptItem.CallOutput output when written -> confidential.add(output.output());
                case PromptItem.Assistant _,
                        PromptItem.Reasoning _,
                        PromptItem.Sealed _,
                        PromptItem.Call _,
                        PromptItem.CallOutput _,
                        PromptItem.Retold _ -> {}
            }
        }
        for (var tool : job.tools()) {
            confidential.add(tool.name());
            confidential.add(tool.description());
            if (tool.parameters() != null) {
                confidential.add(tool.parameters());
            }
        }
        return new SummaryJob(detail, confidential, userText, tier);
    }

    public byte[] encode() {
        var out = BusProto.SummaryJob.newBuilder()
                .setDetail(detail.number())
                .setUserTextBytes(Wire.text(userText))
                .setTier(tier.number());
        confidential.forEach(text -> out.addConfidentialBytes(Wire.text(text)));
        return out.build().toByteArray();
    }

    /// A level of detail of a newer version means what `auto` means, and a tier of a newer version none.
    public static SummaryJob decode(byte[] bytes) {
        var in = Wire.parse(BusProto.SummaryJob.parser(), bytes);
        return new SummaryJob(
                Wire.constant(in.getDetail(), Detail.values(), Detail.AUTO),
                in.getConfidentialList(),
                in.getUserText(),
                Wire.constant(in.getTier(), SummaryTier.values(), SummaryTier.UNNAMED));
    }

    /// Tells sizes only: prompts are never logged.
    @Override
    public String toString() {
        return "SummaryJob[%s, confidential=%d, %s]".formatted(detail, confidential.size(), tier);
    }
}
