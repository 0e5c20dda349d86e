//! Renders one chat template as Python's `transformers` does, by minijinja. The host calls `compile` once, then `render`.
//!
//! Both read UTF-8 at an address from `reserve`, and free it. Both return the address of an answer: two little-endian
//! u32, status and length, then as many bytes. The host hands each answer back to `release`.
mod json;
mod python;

use minijinja::{Environment, Error, ErrorKind, Value};
use serde::Deserialize;
use std::cell::RefCell;

/// Steps of a template, and bytes in place of steps. Public templates take less than 5,000 for a short conversation.
const FUEL: u64 = 250_000;
/// Long conversations take more.
const FUEL_PER_BYTE: u64 = 10;

const RENDERED: u32 = 0;
const REFUSED: u32 = 1;
const OUT_OF_FUEL: u32 = 2;

#[derive(Deserialize)]
struct Request {
    /// The template's variables.
    context: Value,
    now: python::Now,
}

thread_local! {
    static COMPILED: RefCell<Option<(String, Environment<'static>)>> = const { RefCell::new(None) };
}

fn compiled(source: &str) -> (u32, String) {
    match python::environment(source) {
        Ok(environment) => {
            COMPILED.set(Some((source.to_string(), environment)));
            (RENDERED, String::new())
        }
        Err(error) => (REFUSED, at(&error, format!("{}: {}", error.kind(), error.detail().unwrap_or("unreadable")))),
    }
}

fn rendered(request: &str) -> (u32, String) {
    let Ok(Request { context, now }) = serde_json::from_str(request) else {
        return (REFUSED, "the conversation cannot be read".to_string());
    };
    COMPILED.with_borrow_mut(|compiled| {
        let (source, environment) = compiled.as_mut().expect("compiled before");
        environment.set_fuel(Some(FUEL + FUEL_PER_BYTE * request.len() as u64));
        python::begin(now);
        match environment.get_template(python::NAME).and_then(|template| template.render(context)) {
            Ok(text) => (RENDERED, text),
            Err(error) => refused(&error, source),
        }
    })
}

/// Details of minijinja quote values, so only kind and line pass, and what the template itself says of refusing.
fn refused(error: &Error, source: &str) -> (u32, String) {
    let mut innermost = error;
    while let Some(cause) = std::error::Error::source(innermost).and_then(|cause| cause.downcast_ref()) {
        innermost = cause;
    }
    match python::raised() {
        Some(message) if is_literal(&message, source) => (REFUSED, at(innermost, message)),
        Some(_) => (REFUSED, at(innermost, "the template refuses the conversation".to_string())),
        None if innermost.kind() == ErrorKind::OutOfFuel => (OUT_OF_FUEL, "takes more steps than it may".to_string()),
        None => (REFUSED, at(innermost, innermost.kind().to_string())),
    }
}

/// A message that stands between quotes in the template holds nothing of a conversation.
fn is_literal(message: &str, source: &str) -> bool {
    !message.is_empty() && ["'", "\""].iter().any(|quote| source.contains(&format!("{quote}{message}{quote}")))
}

fn at(error: &Error, reason: String) -> String {
    error.line().map_or(reason.clone(), |line| format!("line {line}: {reason}"))
}

#[no_mangle]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// # Safety
/// `at` comes from `reserve(length)`.
#[no_mangle]
pub unsafe extern "C" fn compile(at: *mut u8, length: usize) -> *mut u8 {
    answer(at, length, compiled)
}

/// # Safety
/// `at` comes from `reserve(length)`.
#[no_mangle]
pub unsafe extern "C" fn render(at: *mut u8, length: usize) -> *mut u8 {
    answer(at, length, rendered)
}

/// # Safety
/// `at` is an answer of `length` bytes with its head.
#[no_mangle]
pub unsafe extern "C" fn release(at: *mut u8, length: usize) {
    drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, length)));
}

unsafe fn answer(at: *mut u8, length: usize, work: fn(&str) -> (u32, String)) -> *mut u8 {
    let input = Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, length));
    let (status, text) = work(&String::from_utf8_lossy(&input));
    let head = [status.to_le_bytes(), (text.len() as u32).to_le_bytes()].concat();
    Box::into_raw([&head, text.as_bytes()].concat().into_boxed_slice()).cast()
}
