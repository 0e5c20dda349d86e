package dev.counterpoint.engine.template;

import dev.counterpoint.engine.template.module.ChatTemplateModule;
import java.nio.charset.StandardCharsets;
import run.endive.runtime.ImportValues;
import run.endive.runtime.Instance;
import run.endive.wasi.WasiOptions;
import run.endive.wasi.WasiPreview1;
import run.endive.wasm.WasmEngineException;
import run.endive.wasm.WasmModule;
import run.endive.wasm.types.MemoryLimits;

/// The WebAssembly module with memory of its own, in which one template is compiled. It has no files, arguments,
/// environment or output. Serves one thread at a time.
final class TemplateInstance {
    private static final WasmModule MODULE = ChatTemplateModule.load();
    /// Pages have 64 KiB.
    private static final int PAGES_FIRST = 32;

    private static final int PAGES_MAX = 1_024;
    /// Memory never shrinks: an instance that needed more is not used again.
    private static final int PAGES_KEPT = 256;

    private static final int HEAD_BYTES = 8;
    private static final int RENDERED = 0;
    private static final int OUT_OF_FUEL = 2;

    private final String name;
    private final Instance instance;
    private boolean whole;

    /// @param name for refusals
    TemplateInstance(String name, String jinja) {
        this.name = name;
        var nothing = WasiPreview1.builder()
                .withOptions(WasiOptions.builder().build())
                .build();
        instance = Instance.builder(MODULE)
                .withImportValues(ImportValues.builder()
                        .addFunction(nothing.toHostFunctions())
                        .build())
                .withMemoryLimits(new MemoryLimits(PAGES_FIRST, PAGES_MAX))
                .withMachineFactory(ChatTemplateModule::create)
                .build();
        call("compile", jinja);
    }

    /// False after an exception of the module, whose memory is in disorder then, and after a huge conversation.
    boolean isReusable() {
        return whole && instance.memory().pages() <= PAGES_KEPT;
    }

    /// @param function `compile` with a template, or `render` with a request as JSON
    /// @throws WasmEngineException when the template exceeds its bounds
    String call(String function, String text) {
        whole = false;
        byte[] input = text.getBytes(StandardCharsets.UTF_8);
        int at = (int) instance.export("reserve").apply(input.length)[0];
        instance.memory().write(at, input);
        int answer = (int) instance.export(function).apply(at, input.length)[0];
        int status = instance.memory().readInt(answer);
        int length = instance.memory().readInt(answer + 4);
        var said = new String(instance.memory().readBytes(answer + HEAD_BYTES, length), StandardCharsets.UTF_8);
        instance.export("release").apply(answer, HEAD_BYTES + length);
        whole = true;
        return switch (status) {
            case RENDERED -> said;
            case OUT_OF_FUEL -> throw new WasmEngineException("out of fuel");
            default -> throw new TemplateRefusedException(name, said);
        };
    }
}
