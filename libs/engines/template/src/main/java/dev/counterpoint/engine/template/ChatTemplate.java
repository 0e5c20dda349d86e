package dev.counterpoint.engine.template;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import run.endive.wasm.WasmEngineException;

/// A model's chat template: Jinja that turns a conversation into the text which the model was trained to continue.
/// Thread-safe.
public final class ChatTemplate {
    private static final ObjectMapper JSON = new ObjectMapper();
    /// As JSON, in the module's order.
    private static final DateTimeFormatter NOW =
            DateTimeFormatter.ofPattern("'['u,M,d,H,m,s,'\"'MMMM'\",\"'EEEE'\"]'", Locale.ENGLISH);

    static {
        // Loads the module's classes once, which takes longer than most templates and counts against no bound.
        new TemplateInstance("empty", "");
    }

    private final String name;
    private final String jinja;
    private final Map<String, String> specialTokens;
    /// At most one for each thread that renders.
    private final ConcurrentLinkedQueue<TemplateInstance> idle = new ConcurrentLinkedQueue<>();
    /// The form of messages that was rendered last, and is tried first.
    private volatile MessageForm form = MessageForm.OBJECTS;

    /// Compiles a template.
    ///
    /// @param name of the model's file, for messages
    /// @param specialTokens texts of the model's tokens by the names that templates use: `bos_token` and others
    /// @throws TemplateRefusedException when it cannot be parsed
    public ChatTemplate(String name, String jinja, Map<String, String> specialTokens) {
        this.name = name;
        this.jinja = jinja;
        this.specialTokens = Map.copyOf(specialTokens);
        idle.add(bounded(() -> new TemplateInstance(name, jinja)));
    }

    /// The template as the model's file has it.
    public String text() {
        return jinja;
    }

    /// Renders a conversation. Some templates refuse arguments of calls as objects, others as text: each gets what it
    /// renders.
    ///
    /// @throws TemplateRefusedException when the template refuses the conversation, or exceeds its bounds
    public String render(TemplateInput conversation) {
        return bounded(() -> renderEitherForm(conversation));
    }

    private String renderEitherForm(TemplateInput conversation) {
        var first = form;
        var messages = first.of(conversation.messages());
        try {
            return render(conversation, messages);
        } catch (TemplateRefusedException e) {
            var others = first.other().of(conversation.messages());
            if (others.equals(messages)) {
                throw e;
            }
            try {
                String text = render(conversation, others);
                form = first.other();
                return text;
            } catch (TemplateRefusedException again) {
                throw e;
            }
        }
    }

    private String render(TemplateInput conversation, JsonNode messages) {
        var kept = idle.poll();
        var instance = kept == null ? new TemplateInstance(name, jinja) : kept;
        try {
            return instance.call("render", request(conversation, messages));
        } finally {
            if (instance.isReusable()) {
                idle.add(instance);
            }
        }
    }

    private String request(TemplateInput conversation, JsonNode messages) {
        var context = JSON.createObjectNode().putNull("documents");
        specialTokens.forEach(context::put);
        conversation.arguments().forEach(context::set);
        context.set("messages", messages);
        context.set("tools", conversation.tools());
        context.put("add_generation_prompt", conversation.generationPrompt());
        try {
            var now = JSON.readTree(conversation.now().format(NOW));
            return JSON.writeValueAsString(Map.of("now", now, "context", context));
        } catch (JsonProcessingException e) {
            throw new TemplateRefusedException(name, "the conversation is nested too deeply");
        }
    }

    private <T> T bounded(Supplier<T> work) {
        try {
            return RenderThreads.run(work);
        } catch (TimeoutException | WasmEngineException e) {
            throw new TemplateRefusedException(name, "takes more steps, memory or time than it may");
        }
    }
}
