package dev.counterpoint.engine.simulated;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Edits a file by a tool that takes a patch as plain text, in the form of Codex's `apply_patch`.
final class PatchSkill {
    private static final String TOOL = "apply_patch";
    private static final Pattern REPLACE = Pattern.compile("(?i)\\bin (?:the )?file (\\S{1,200}?),? replace (?:the )?"
            + "(?:line )?\"([^\"\n]{0,400})\" (?:by|with) \"([^\"\n]{0,400})\"");
    private static final Pattern CREATE =
            Pattern.compile("(?i)\\b(?:create|add|write) (?:the |a )?file (\\S{1,200}) with"
                    + " (?:the )?(?:line |text )?\"([^\"\n]{0,400})\"");

    private PatchSkill() {}

    /// True if the question asks for an edit and the tool is there.
    static boolean asked(PromptContent prompt) {
        return patch(prompt) != null;
    }

    /// The call; null when it was made already.
    static @Nullable SkillAnswer call(PromptContent prompt) {
        var patch = patch(prompt);
        if (patch == null
                || PromptContent.calls(prompt.openTurn()).stream()
                        .anyMatch(call -> call.tool().equals(TOOL))) {
            return null;
        }
        var input = PromptWords.toJson(PromptWords.object().put(DeclaredTool.INPUT, patch));
        return new SkillAnswer(List.of("The user wants a file edited, so I write a patch."), TOOL, input, patch);
    }

    private static @Nullable String patch(PromptContent prompt) {
        if (prompt.tools().stream().noneMatch(tool -> tool.name().equals(TOOL) && tool.plain())) {
            return null;
        }
        var question = prompt.question();
        var replace = REPLACE.matcher(question);
        if (replace.find()) {
            return whole("Update", replace, "@@\n-" + replace.group(2) + "\n+" + replace.group(3));
        }
        var create = CREATE.matcher(question);
        return create.find() ? whole("Add", create, "+" + create.group(2)) : null;
    }

    private static String whole(String how, Matcher asked, String change) {
        return "*** Begin Patch\n*** " + how + " File: " + asked.group(1) + "\n" + change + "\n*** End Patch\n";
    }
}
