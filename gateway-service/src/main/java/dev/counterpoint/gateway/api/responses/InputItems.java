package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.PromptItem.Illustrated.Part;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.gateway.request.PromptBuilder;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.request.SamplingOptions;
import dev.counterpoint.gateway.request.ToolName;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.FunctionCall;
import dev.counterpoint.openai.responses.HostedItem;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputContent;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ItemStatus;
import dev.counterpoint.openai.responses.MessageContent;
import dev.counterpoint.openai.responses.MessageRole;
import dev.counterpoint.openai.responses.OutputContent;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads items of a conversation: what the caller sends, what we stored, and what either means to a model.
public final class InputItems {
    /// The word of `include` for reasoning in its sealed form.
    static final String ENCRYPTED = "reasoning.encrypted_content";

    /// Words of `include` for tools that run at the provider and for images, of which there are none here.
    static final List<String> OF_HOSTED = List.of(
            "file_search_call.results",
            "web_search_call.results",
            "web_search_call.action.sources",
            "message.input_image.image_url",
            "computer_call_output.output.image_url",
            "code_interpreter_call.outputs");

    /// Words of `include` wherever items are told.
    public static final List<String> INCLUDES = Stream.concat(
                    OF_HOSTED.stream(), Stream.of(ENCRYPTED, SamplingOptions.LOGPROBS))
            .toList();

    private static final String INPUT = "input";
    private static final List<String> PARTS = List.of("input_text", "input_image", "output_text", "refusal");

    private InputItems() {}

    /// The caller's items, references followed: those that say so, and reasoning of the open turn that comes back as it
    /// was shown, without its sealed form.
    ///
    /// @param stored the stored item of an id, if the caller has one
    /// @throws WireException for a reference that leads nowhere
    static List<InputItem> own(@Nullable Input input, Function<String, Optional<InputItem>> stored) {
        return switch (input) {
            case null -> List.of();
            case Input.Text(String text) ->
                List.of(new InputItem.Message(MessageRole.USER, new MessageContent.Text(text)));
            case Input.Items(List<InputItem> items) -> {
                var resolved = new ArrayList<InputItem>();
                int open = afterLastAnswer(items);
                for (int i = 0; i < items.size(); i++) {
                    var param = new Place(INPUT, i).param() + ".id";
                    boolean current = i >= open;
                    resolved.add(
                            switch (items.get(i)) {
                                case InputItem.ItemReference(String id, var _) ->
                                    stored.apply(id)
                                            .orElseThrow(() -> new WireException(
                                                    param, null, "Item with id '" + id + "' not found."));
                                case InputItem.Reasoning shown
                                when current && shown.id() != null && isBare(shown) ->
                                    stored.apply(shown.id()).orElse(shown);
                                case InputItem other -> other;
                            });
                }
                yield resolved;
            }
        };
    }

    /// Index of the first item of the open turn.
    private static int afterLastAnswer(List<InputItem> items) {
        int at = items.size();
        while (at > 0
                && !(items.get(at - 1) instanceof InputItem.Message said && said.role() == MessageRole.ASSISTANT)) {
            at--;
        }
        return at;
    }

    private static boolean isBare(InputItem.Reasoning shown) {
        return shown.encryptedContent() == null
                && (shown.content() == null || shown.content().isEmpty());
    }

    /// An output item as the input of a later request; empty for one that must not come back: a call that was cut
    /// off.
    static Optional<InputItem> ofOutput(OutputItem item) {
        if (item instanceof FunctionCall call && ItemStatus.INCOMPLETE.equals(call.status())) {
            return Optional.empty();
        }
        return Optional.of(WireJson.read(WireJson.tree(item), InputItem.class));
    }

    /// The response without a custom call that was cut off: unlike those of functions it does not say so.
    static ResponseObject whole(ResponseObject response) {
        var output = response.output();
        boolean cutOff = response.status() == ResponseStatus.INCOMPLETE
                && !output.isEmpty()
                && output.getLast() instanceof HostedItem.CustomToolCall;
        return cutOff ? response.withOutput(output.subList(0, output.size() - 1)) : response;
    }

    /// An item as we keep it: raw reasoning is never kept in clear, whatever member a client put it in.
    static InputItem forStore(InputItem item) {
        return switch (item) {
            case InputItem.Reasoning raw ->
                new InputItem.Reasoning(
                        raw.id(), raw.summary(), null, raw.encryptedContent(), raw.status(), Others.NONE);
            case InputItem.AdditionalTools more ->
                new InputItem.AdditionalTools(
                        more.id(), more.role(), ResponsesTools.withoutSecrets(more.tools()), more.others());
            case InputItem other -> other;
        };
    }

    /// As [#forStore(InputItem)].
    ///
    /// @param open whether the turn goes on, so that its sealed reasoning is kept for it
    static OutputItem forStore(OutputItem item, boolean open) {
        return item instanceof OutputItem.Reasoning raw
                ? new OutputItem.Reasoning(
                        raw.id(), raw.summary(), null, open ? raw.encryptedContent() : null, raw.status())
                : item;
    }

    /// True for an item that no model is told.
    static boolean isLeftOut(InputItem item) {
        return item instanceof InputItem.Hosted
                && !(item instanceof HostedItem.CustomToolCall
                        || item instanceof InputItem.CustomToolCallOutput
                        || item instanceof InputItem.Compaction
                        || isSetting(item));
    }

    /// True for an item that changes requests from there on ([EffectiveRequest]).
    static boolean isSetting(InputItem item) {
        return item instanceof InputItem.AdditionalTools || item instanceof InputItem.ConfigurationUpdate;
    }

    /// As JSON text, for the store.
    static String write(List<InputItem> items) {
        var kept = items.stream().map(InputItems::forStore).toList();
        return WireJson.writeNamed(new Input.Items(kept));
    }

    /// Reads what [#write] wrote.
    static List<InputItem> read(String json) {
        return switch (WireJson.read(json.getBytes(StandardCharsets.UTF_8), Input.class)) {
            case Input.Items(List<InputItem> items) -> items;
            case Input.Text _ -> throw new IllegalStateException("stored input is a list");
        };
    }

    /// Checks that these items can be added to a conversation, and that a model can be told of them.
    ///
    /// @param earlier items of the conversation
    /// @param member that holds them, as in `items`
    /// @return the items; a result without the id of its call has that of the open one
    /// @throws WireException that names what is wrong
    public static List<InputItem> added(List<InputItem> items, List<InputItem> earlier, String member) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof InputItem.ItemReference reference) {
                throw RequestRules.unsupportedValue(
                        member + "[" + i + "].type", reference.type(), "Send the item itself.");
            }
        }
        var prompt = new PromptBuilder(PromptBuilder.Api.RESPONSES, Set.of(), ImageSources.ADDRESSES);
        addStored(earlier, prompt);
        return addOwn(items, new Place(member, 0), prompt);
    }

    /// The place of an item, for what is wrong with it.
    ///
    /// @param member of the request that holds it, null where the item is not the caller's
    /// @param index of it there
    record Place(@Nullable String member, int index) {
        String param() {
            return member == null ? "previous_response_id" : member + "[" + index + "]";
        }
    }

    /// Adds what came before; what is wrong there is no fault of the caller.
    static void addStored(List<InputItem> items, PromptBuilder prompt) {
        items.forEach(item -> add(item, new Place(null, 0), prompt));
    }

    /// Adds the caller's items.
    ///
    /// @param first place of the first of them
    /// @return the items; a result without the id of its call has that of the open one
    /// @throws WireException that names what is wrong, as in `input[0].content[1]`
    static List<InputItem> addOwn(List<InputItem> items, Place first, PromptBuilder prompt) {
        var added = new ArrayList<InputItem>();
        for (var item : items) {
            var place = new Place(first.member, first.index + added.size());
            var whole = item instanceof InputItem.FunctionCallOutput output && output.callId() == null
                    ? output.answering(prompt.openCall(function(output), place.param() + ".call_id"))
                    : item;
            add(whole, place, prompt);
            added.add(whole);
        }
        return added;
    }

    private static @Nullable String function(InputItem.FunctionCallOutput output) {
        return output.name() == null ? null : new ToolName(output.namespace(), output.name()).whole();
    }

    private static void add(InputItem item, Place place, PromptBuilder prompt) {
        if (!prompt.item(item.id(), place.member)) {
            return;
        }
        var param = place.param();
        if (item instanceof FunctionCall call && Boolean.TRUE.equals(call.async())) {
            prompt.mayWait(call.callId());
        } else if (item instanceof HostedItem.CustomToolCall call && Boolean.TRUE.equals(call.async())) {
            prompt.mayWait(call.callId());
        }
        switch (item) {
            case InputItem.Message message -> message(message, param, prompt);
            case InputItem.Reasoning reasoning -> reasoning(reasoning, place, prompt);
            case FunctionCall call when ItemStatus.INCOMPLETE.equals(call.status()) -> {
                // It was cut off, so nobody made it.
            }
            case FunctionCall call ->
                prompt.call(
                        new PromptItem.Call(
                                call.callId(), new ToolName(call.namespace(), call.name()).whole(), call.arguments()),
                        place.member);
            case HostedItem.CustomToolCall call ->
                prompt.customCall(
                        call.callId(), new ToolName(call.namespace(), call.name()).whole(), call.input(), place.member);
            case InputItem.FunctionCallOutput output ->
                prompt.output(
                        Objects.requireNonNullElse(output.callId(), ""),
                        text(output.output(), param + ".output"),
                        place.member);
            case InputItem.CustomToolCallOutput output ->
                prompt.output(output.callId(), text(output.output(), param + ".output"), place.member);
            case InputItem.ItemReference _ -> throw new IllegalStateException("references were followed before");
            case InputItem.AdditionalTools more
            when place.member != null -> {
                RequestRules.oneOf(param + ".role", more.role(), List.of("developer"));
                ResponsesTools.offer(more.tools(), param + ".tools");
            }
            case InputItem.ConfigurationUpdate update when place.member != null -> ResponsesJob.check(update, param);
            case InputItem.Hosted _ -> {
                // Tools that ran elsewhere: nothing here could go on with them, and the answer's header names them.
            }
            case InputItem.Unknown _ ->
                throw RequestRules.unsupportedValue(param + ".type", item.type(), "Items of this type are not served.");
        }
    }

    private static void message(InputItem.Message message, String param, PromptBuilder prompt) {
        var place = param + ".content";
        switch (message.role()) {
            case USER -> prompt.user(parts(message.content(), place, prompt));
            case SYSTEM, DEVELOPER -> prompt.instructions(text(message.content(), place));
            case ASSISTANT -> {
                RequestRules.oneOf(param + ".phase", message.phase(), List.of("commentary", "final_answer"));
                prompt.assistant(
                        text(message.content(), place),
                        message.phase() == null ? null : message.phase().equals("commentary"));
            }
        }
    }

    /// The sealed form wins, because it is what the model thought; a summary is for people and never goes back.
    private static void reasoning(InputItem.Reasoning reasoning, Place place, PromptBuilder prompt) {
        var param = place.param();
        if (reasoning.encryptedContent() != null) {
            prompt.sealed(
                    reasoning.encryptedContent(),
                    reasoning.id(),
                    place.member == null ? null : param + ".encrypted_content");
            return;
        }
        if (ItemStatus.INCOMPLETE.equals(reasoning.status())) {
            return; // half a thought, which we do not keep either
        }
        var content = reasoning.content() == null ? List.<OutputContent>of() : reasoning.content();
        if (content.isEmpty()) {
            prompt.lostReasoning();
        }
        for (int i = 0; i < content.size(); i++) {
            if (!(content.get(i) instanceof OutputContent.ReasoningText(String text, var _))) {
                throw RequestRules.invalid(param + ".content[" + i + "]", "reasoning is made of 'reasoning_text'.");
            }
            prompt.reasoning(text);
        }
    }

    private static List<Part> parts(MessageContent content, String param, PromptBuilder prompt) {
        return switch (content) {
            case MessageContent.Text(String text) -> List.of(Part.text(text));
            case MessageContent.Parts(List<InputContent> parts) -> {
                var read = new ArrayList<Part>();
                for (int i = 0; i < parts.size(); i++) {
                    var place = param + "[" + i + "]";
                    read.add(
                            parts.get(i) instanceof InputContent.InputImage image
                                    ? image(image, place, prompt)
                                    : Part.text(text(parts.get(i), place)));
                }
                yield read;
            }
        };
    }

    private static Part image(InputContent.InputImage image, String place, PromptBuilder prompt) {
        if (image.imageUrl() == null) {
            throw image.fileId() == null
                    ? RequestRules.missing(place + ".image_url")
                    : RequestRules.unsupported(place + ".file_id", "Send the image itself in 'image_url'.");
        }
        return prompt.image(image.imageUrl(), image.detail(), place, image.type());
    }

    /// The words of a message; an image is told of.
    static String words(MessageContent content, String param) {
        return content instanceof MessageContent.Parts(List<InputContent> parts)
                ? parts.stream()
                        .map(part -> part instanceof InputContent.InputImage ? "[image]" : text(part, param))
                        .collect(Collectors.joining())
                : text(content, param);
    }

    private static String text(MessageContent content, String param) {
        return switch (content) {
            case MessageContent.Text(String text) -> text;
            case MessageContent.Parts(List<InputContent> parts) -> {
                var texts = new ArrayList<String>();
                for (int i = 0; i < parts.size(); i++) {
                    texts.add(text(parts.get(i), param + "[" + i + "]"));
                }
                yield String.join("", texts); // as Harmony has them: parts of one text
            }
        };
    }

    private static String text(InputContent content, String place) {
        return switch (content) {
            case InputContent.InputText part -> part.text();
            case InputContent.OutputText part -> part.text();
            case InputContent.Refusal part -> part.refusal();
            case InputContent.Unknown other -> throw RequestRules.notOneOf(place, other.type(), PARTS);
            case InputContent.Media _ ->
                throw RequestRules.unsupportedValue(place, content.type(), "The model reads text only.");
        };
    }
}
