package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where commands run.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ShellEnvironment {
    /// A container that the provider makes; `memoryLimit` is `1g`, `4g`, `16g` or `64g`.
    @JsonTypeName("container_auto")
    record ContainerAuto(
            @Nullable List<String> fileIds,
            @Nullable String memoryLimit,
            @Nullable NetworkPolicy networkPolicy,
            @Nullable List<Skill> skills,
            Others others)
            implements ShellEnvironment {
        public ContainerAuto {
            fileIds = fileIds == null ? null : List.copyOf(fileIds);
            skills = skills == null ? null : List.copyOf(skills);
        }
    }

    /// The client's own machine, with the skills that lie there.
    @JsonTypeName("local")
    record Local(@Nullable List<LocalSkill> skills, Others others) implements ShellEnvironment {
        public Local {
            skills = skills == null ? null : List.copyOf(skills);
        }
    }

    @JsonTypeName("container_reference")
    record ContainerReference(String containerId, Others others) implements ShellEnvironment {}

    /// An environment that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ShellEnvironment {}

    /// `path` is that of the skill's folder.
    record LocalSkill(String name, String description, String path, Others others) {}
}
