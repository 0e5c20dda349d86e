//! Measures native openai-harmony on the texts in the folder named by the first argument, `passes` times each.
//! Prints lines of `benchmark TAB text TAB first seconds TAB best seconds TAB bytes TAB tokens`.

use openai_harmony::chat::{Conversation, Role};
use openai_harmony::{load_harmony_encoding, HarmonyEncoding, HarmonyEncodingName, StreamableParser};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("folder"));
    let passes: usize = arguments.next().expect("passes").parse().expect("a number");

    let begin = Instant::now();
    let encoding = load_harmony_encoding(HarmonyEncodingName::HarmonyGptOss).expect("vocabulary");
    let load = begin.elapsed().as_secs_f64();
    println!("load\t-\t{load}\t{load}\t0\t0");

    for text in arguments {
        codec(&encoding, &folder, &text, passes);
    }
    parse(&encoding, &folder, passes);
    for (name, file) in [("chat", "conversation"), ("agent", "agent")] {
        render(&encoding, &folder.join(format!("{file}.json")), name, passes);
    }
    let letters = "a".repeat(200_000);
    let tokenizer = encoding.tokenizer();
    measure("encode", "letters", letters.len(), 1, || tokenizer.encode_ordinary(&letters).len());
}

fn codec(encoding: &HarmonyEncoding, folder: &Path, name: &str, passes: usize) {
    let text = std::fs::read_to_string(folder.join(format!("{name}.txt"))).expect("text");
    let documents: Vec<&str> = text.split('\0').collect();
    let bytes = documents.iter().map(|document| document.len()).sum();
    let tokenizer = encoding.tokenizer();
    measure("encode", name, bytes, passes, || {
        documents.iter().map(|document| black_box(tokenizer.encode_ordinary(document)).len()).sum()
    });
    let tokens: Vec<Vec<u32>> = documents.iter().map(|document| tokenizer.encode_ordinary(document)).collect();
    measure("decode", name, bytes, passes, || {
        for document in &tokens {
            black_box(tokenizer.decode_utf8(document).expect("text"));
        }
        tokens.iter().map(Vec::len).sum()
    });
}

fn parse(encoding: &HarmonyEncoding, folder: &Path, passes: usize) {
    let bytes = std::fs::read(folder.join("stream.ids")).expect("stream");
    let tokens: Vec<u32> = bytes.chunks_exact(4).map(|id| u32::from_le_bytes(id.try_into().unwrap())).collect();
    measure("parse", "stream", 0, passes, || {
        let mut parser = StreamableParser::new(encoding.clone(), Some(Role::Assistant)).expect("parser");
        let mut length = 0;
        for &token in &tokens {
            parser.process(token).expect("valid stream");
            length += parser.last_content_delta().expect("delta").map_or(0, |delta| delta.len());
        }
        black_box(length);
        tokens.len()
    });
}

fn render(encoding: &HarmonyEncoding, file: &Path, name: &str, passes: usize) {
    let json = std::fs::read_to_string(file).expect("conversation");
    let conversation: Conversation = serde_json::from_str(&json).expect("conversation");
    measure("render", name, 0, passes * 5, || {
        encoding.render_conversation_for_completion(&conversation.messages, Role::Assistant, None).expect("tokens").len()
    });
}

fn measure(benchmark: &str, text: &str, bytes: usize, passes: usize, mut pass: impl FnMut() -> usize) {
    let mut first = 0.0;
    let mut best = f64::MAX;
    let mut tokens = 0;
    for i in 0..passes {
        let begin = Instant::now();
        tokens = pass();
        let seconds = begin.elapsed().as_secs_f64();
        if i == 0 {
            first = seconds;
        }
        best = best.min(seconds);
    }
    println!("{benchmark}\t{text}\t{first}\t{best}\t{bytes}\t{tokens}");
}
