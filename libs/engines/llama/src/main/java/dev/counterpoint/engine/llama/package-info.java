/// llama.cpp in this process, through `java.lang.foreign`: a gpt-oss GGUF by path, many sequences in one batch.
///
/// One platform thread owns the context ([LlamaLoop]); everything else talks to it through queues. Token ids
/// go in and come out: llama.cpp's own tokenizer and samplers are not used.
@NullMarked
package dev.counterpoint.engine.llama;

import org.jspecify.annotations.NullMarked;
