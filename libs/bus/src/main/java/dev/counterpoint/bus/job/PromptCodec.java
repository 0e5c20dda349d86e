package dev.counterpoint.bus.job;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.BusProto.GenerationJob.PromptItem.Text;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;

/// The bytes of a [PromptItem].
final class PromptCodec {
    private PromptCodec() {}

    static BusProto.GenerationJob.PromptItem encode(PromptItem item) {
        var out = BusProto.GenerationJob.PromptItem.newBuilder();
        switch (item) {
            case PromptItem.Instructions(String text) -> out.setInstructions(text(text));
            case PromptItem.User(String text) -> out.setUser(text(text));
            case PromptItem.Assistant(String text, boolean preamble) ->
                out.setAssistant(BusProto.GenerationJob.PromptItem.Assistant.newBuilder()
                        .setTextBytes(Wire.text(text))
                        .setPreamble(Wire.flag(preamble)));
            case PromptItem.Reasoning(String text) -> out.setReasoning(text(text));
            case PromptItem.Sealed(String blob) -> out.setSealed(text(blob));
            case PromptItem.Call(String callId, String name, String arguments) ->
                out.setCall(BusProto.GenerationJob.PromptItem.Call.newBuilder()
                        .setCallIdBytes(Wire.text(callId))
                        .setNameBytes(Wire.text(name))
                        .setArgumentsBytes(Wire.text(arguments)));
            case PromptItem.CallOutput(String callId, String name, String output) ->
                out.setCallOutput(BusProto.GenerationJob.PromptItem.CallOutput.newBuilder()
                        .setCallIdBytes(Wire.text(callId))
                        .setNameBytes(Wire.text(name))
                        .setOutputBytes(Wire.text(output)));
            case PromptItem.Illustrated illustrated ->
                out.setIllustrated(BusProto.GenerationJob.PromptItem.Illustrated.newBuilder()
                        .addAllParts(illustrated.parts().stream()
                                .map(PromptCodec::encode)
                                .toList()));
            case PromptItem.Retold(String blob) -> out.setRetold(text(blob));
        }
        return out.build();
    }

    private static Text text(String text) {
        return Text.newBuilder().setTextBytes(Wire.text(text)).build();
    }

    private static BusProto.GenerationJob.PromptItem.Part encode(PromptItem.Illustrated.Part part) {
        return BusProto.GenerationJob.PromptItem.Part.newBuilder()
                .setTextBytes(Wire.text(part.text()))
                .setImageUrlBytes(Wire.text(part.imageUrl()))
                .setDetailBytes(Wire.text(part.detail()))
                .build();
    }

    /// @throws MalformedMessageException for a kind of a newer version: a prompt with a hole must not run
    static PromptItem decode(BusProto.GenerationJob.PromptItem in) {
        return switch (in.getKindCase()) {
            case INSTRUCTIONS ->
                new PromptItem.Instructions(in.getInstructions().getText());
            case USER -> new PromptItem.User(in.getUser().getText());
            case ASSISTANT ->
                new PromptItem.Assistant(
                        in.getAssistant().getText(), in.getAssistant().getPreamble() != 0);
            case REASONING -> new PromptItem.Reasoning(in.getReasoning().getText());
            case SEALED -> new PromptItem.Sealed(in.getSealed().getText());
            case CALL ->
                new PromptItem.Call(
                        in.getCall().getCallId(),
                        in.getCall().getName(),
                        in.getCall().getArguments());
            case CALL_OUTPUT ->
                new PromptItem.CallOutput(
                        in.getCallOutput().getCallId(),
                        in.getCallOutput().getName(),
                        in.getCallOutput().getOutput());
            case ILLUSTRATED ->
                new PromptItem.Illustrated(in.getIllustrated().getPartsList().stream()
                        .map(part ->
                                new PromptItem.Illustrated.Part(part.getText(), part.getImageUrl(), part.getDetail()))
                        .toList());
            case RETOLD -> new PromptItem.Retold(in.getRetold().getText());
            case KIND_NOT_SET -> throw new MalformedMessageException("a prompt item of an unknown kind");
        };
    }
}
