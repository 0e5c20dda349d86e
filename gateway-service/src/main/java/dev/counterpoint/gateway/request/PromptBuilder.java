package dev.counterpoint.gateway.request;

import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.openai.json.WireException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Collects a conversation in order and holds the rules between its steps: those of items and calls ([CallRules]), and
/// only the reasoning of the open turn, that since the last answer, goes back to the model. Not thread-safe.
///
/// A caller's wrong item is refused; a wrong item that we stored ourselves is left out, because the caller cannot
/// mend it. Sealed reasoning must be the caller's own, and what does not fit here is left out ([BoundPrompt]).
public final class PromptBuilder {
    /// Of all images in a prompt: it goes to a worker as one message of 16 MB at most.
    public static final int IMAGE_CHARACTERS_MAX = 8 << 20;

    private static final Pattern IMAGE_DATA =
            Pattern.compile("data:image/(?:png|jpe?g|webp|gif);base64,[A-Za-z0-9+/]", Pattern.CASE_INSENSITIVE);
    private static final Pattern IMAGE_ADDRESS = Pattern.compile("https://[^/\\s]", Pattern.CASE_INSENSITIVE);

    private final Set<String> plainTools;
    private final List<Step> steps = new ArrayList<>();
    private final Api api;
    private final CallRules rules;
    private final ImageSources images;
    private int imageCharacters;
    private int lostAt = -1;
    /// Ids of calls.
    private final Set<String> async = new HashSet<>();
    private int wishAt = -1;
    private int beginning;

    /// @param param of what the caller may have got wrong, or null for what comes from our store
    /// @param undecided a text that is a preamble only if a call follows
    /// @param id of the caller's item, where it matters
    private record Step(
            PromptItem item,
            @Nullable String param,
            boolean undecided,
            @Nullable String id) {
        Step(PromptItem item, boolean undecided) {
            this(item, null, undecided, null);
        }
    }

    /// The API that a conversation comes by.
    public enum Api {
        CHAT,
        RESPONSES
    }

    /// @param plainTools names of the custom tools whose text the model writes as it is
    /// @param images where they may come from
    public PromptBuilder(Api api, Set<String> plainTools, ImageSources images) {
        this.api = api;
        rules = new CallRules(api);
        this.images = images;
        this.plainTools = Set.copyOf(plainTools);
    }

    public void instructions(String text) {
        add(new PromptItem.Instructions(text));
    }

    /// The caller's wish for this one answer, to which no reasoning is bound.
    public void wish(String text) {
        wishAt = steps.size();
        instructions(text);
    }

    /// The conversation begins; the steps so far are its setting, which each request brings.
    public void begin() {
        beginning = steps.size();
    }

    /// A user's message with images. One of texts alone is a text, as Harmony has it.
    ///
    /// @throws WireException in a chat whose last calls wait for their results
    public void user(List<PromptItem.Illustrated.Part> parts) {
        if (api == Api.CHAT) {
            rules.requireResults(async);
        }
        var shown = new PromptItem.Illustrated(parts);
        add(parts.stream().anyMatch(PromptItem.Illustrated.Part::isImage) ? shown : new PromptItem.User(shown.text()));
    }

    /// An image for [#user(List)].
    ///
    /// @param detail how closely the model is to look; null and `auto` leave it to its server
    /// @param param of the image
    /// @param type that the API calls it
    /// @throws WireException when the model takes none, or not this one
    public PromptItem.Illustrated.Part image(String url, @Nullable String detail, String param, String type) {
        if (images == ImageSources.NONE) {
            throw RequestRules.unsupportedValue(param, type, "The model reads text only.");
        }
        boolean address =
                images == ImageSources.ADDRESSES && IMAGE_ADDRESS.matcher(url).lookingAt();
        if (!address && !IMAGE_DATA.matcher(url).lookingAt()) {
            throw RequestRules.invalid(param, taken());
        }
        imageCharacters += url.length();
        if (imageCharacters > IMAGE_CHARACTERS_MAX) {
            throw RequestRules.invalid(
                    param, "the images of a conversation have " + IMAGE_CHARACTERS_MAX + " characters at most.");
        }
        var looks = detail == null || detail.equals("auto") ? "" : detail.equals("original") ? "high" : detail;
        return new PromptItem.Illustrated.Part("", url, looks);
    }

    private String taken() {
        var data = "an image is a PNG, JPEG, WebP or GIF in Base64, as in 'data:image/png;base64,…'";
        return images == ImageSources.ADDRESSES
                ? data + ", or an 'https://' address."
                : data + "; this deployment asks no address that a request names.";
    }

    /// Here the model thought, and what it thought is kept no more.
    public void lostReasoning() {
        lostAt = steps.size();
    }

    /// @param preamble whether it was said before a call; null when the client does not say
    public void assistant(String text, @Nullable Boolean preamble) {
        steps.add(new Step(new PromptItem.Assistant(text, Boolean.TRUE.equals(preamble)), preamble == null));
    }

    /// Reasoning in clear, as the caller brings it back.
    public void reasoning(String text) {
        add(new PromptItem.Reasoning(text));
    }

    /// Reasoning that workers open.
    ///
    /// @param id of the item, or null
    /// @param param of the blob when the caller sent it, null when we kept it
    public void sealed(String blob, @Nullable String id, @Nullable String param) {
        steps.add(new Step(new PromptItem.Sealed(blob), param, false, id));
    }

    /// Begins an item.
    ///
    /// @param id null for an item without one
    /// @param param of the caller's item, null for one of our store
    /// @return false for an item to leave out
    public boolean item(@Nullable String id, @Nullable String param) {
        return rules.addItem(id, param);
    }

    /// @param param of the caller's calls, to name when it is wrong or no output ever comes; null for a call of our
    ///     store
    public void call(PromptItem.Call call, @Nullable String param) {
        if (rules.addCall(call, param)) {
            preambleBefore();
            add(call);
        }
    }

    /// The result of a call may come later, or never.
    public void mayWait(String callId) {
        async.add(callId);
    }

    /// A call of a custom tool, in the form in which the model makes it now.
    ///
    /// @param name of the tool, with its namespace
    /// @param param as for [#call]
    public void customCall(String callId, String name, String input, @Nullable String param) {
        var said = plainTools.contains(name) ? input : CustomInput.arguments(input);
        call(new PromptItem.Call(callId, name, said), param);
    }

    /// The id of the one call that waits for its output.
    ///
    /// @param function that was called; null for any
    /// @param param of the id that an output lacks
    /// @throws WireException when there is none or more than one
    public String openCall(@Nullable String function, String param) {
        return rules.onlyOpenCall(function, param);
    }

    /// @param param of the caller's output, null for one of our store
    /// @throws WireException when no earlier step made that call, or it has an output
    public void output(String callId, String text, @Nullable String param) {
        rules.addResult(callId, param).ifPresent(function -> add(new PromptItem.CallOutput(callId, function, text)));
    }

    /// The prompt.
    ///
    /// @throws WireException when a call has no output, or sealed reasoning does not verify
    public BoundPrompt build(BoundPrompt.Binding binding) {
        rules.requireResults(async);
        var prompt = new BoundPrompt(binding);
        int turn = startOfOpenTurn();
        for (int i = 0; i < steps.size(); i++) {
            var step = steps.get(i);
            boolean kept = switch (step.item) {
                case PromptItem.Reasoning _ -> i >= turn;
                case PromptItem.Sealed(String blob) ->
                    prompt.fits(new BoundPrompt.Blob(blob, step.id, step.param, i >= turn));
                case PromptItem.Instructions _,
                        PromptItem.User _,
                        PromptItem.Illustrated _,
                        PromptItem.Assistant _,
                        PromptItem.Call _,
                        PromptItem.CallOutput _,
                        PromptItem.Retold _ -> true;
            };
            if (kept) {
                prompt.show(step.item);
            }
            if (i != wishAt) {
                prompt.bind(canonical(step.item), i >= beginning);
            }
        }
        prompt.tell(async);
        return prompt;
    }

    /// The same in each request: clients write arguments anew, a tool may get its text plain now and in JSON then, and
    /// whether a text is a preamble shows only when the call comes.
    private PromptItem canonical(PromptItem item) {
        if (item instanceof PromptItem.Call(String callId, String name, String arguments)) {
            var written = plainTools.contains(name) ? CustomInput.arguments(arguments) : arguments;
            return new PromptItem.Call(callId, name, CanonicalJson.ofText(written));
        }
        return item instanceof PromptItem.Assistant said ? new PromptItem.Assistant(said.text(), false) : item;
    }

    /// True if the open turn made calls and the reasoning that led to them is lost.
    public boolean reasoningLost() {
        return lostAt >= startOfOpenTurn() && !openCalls().isEmpty();
    }

    /// The calls of the open turn, so far.
    public List<String> openCalls() {
        return steps.subList(startOfOpenTurn(), steps.size()).stream()
                .map(Step::item)
                .filter(PromptItem.Call.class::isInstance)
                .map(call -> ((PromptItem.Call) call).callId())
                .toList();
    }

    private int startOfOpenTurn() {
        for (int i = steps.size(); i > 0; i--) {
            if (steps.get(i - 1).item instanceof PromptItem.Assistant said && !said.preamble()) {
                return i;
            }
        }
        return 0;
    }

    /// A text right before a call was no answer, whatever stands between.
    private void preambleBefore() {
        for (int i = steps.size() - 1; i >= 0; i--) {
            var step = steps.get(i);
            switch (step.item) {
                case PromptItem.Assistant said -> {
                    if (step.undecided) {
                        steps.set(i, new Step(new PromptItem.Assistant(said.text(), true), false));
                    }
                    return;
                }
                case PromptItem.Reasoning _, PromptItem.Sealed _, PromptItem.Call _ -> {}
                case PromptItem.Instructions _,
                        PromptItem.User _,
                        PromptItem.Illustrated _,
                        PromptItem.CallOutput _,
                        PromptItem.Retold _ -> {
                    return;
                }
            }
        }
    }

    private void add(PromptItem item) {
        steps.add(new Step(item, false));
    }
}
