/// llama.cpp in this process, through `java.lang.foreign`: a GGUF by path, many sequences in one batch.
///
/// One platform thread owns the context ([LlamaLoop]); everything else talks to it through queues. Token ids
/// go in and come out: llama.cpp's samplers are not used, and its tokenizer is not either where the model is gpt-oss.
@NullMarked
package dev.counterpoint.engine.llama;

import org.jspecify.annotations.NullMarked;
