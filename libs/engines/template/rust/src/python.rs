//! minijinja with the names, filters and rules that chat templates expect of Python.
use crate::json;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Tuple, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, UndefinedBehavior, Value};
use minijinja_contrib::pycompat;
use std::cell::RefCell;

pub const NAME: &str = "chat";
const RECURSION_MAX: usize = 100;
const INDENT_MAX: usize = 256;

/// Local time: year, month, day, hour, minute, second, and the names of month and weekday.
pub type Now = (u32, u32, u32, u32, u32, u32, String, String);

thread_local! {
    static NOW: RefCell<Now> = RefCell::default();
    static RAISED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Prepares for one rendering.
pub fn begin(now: Now) {
    NOW.set(now);
    RAISED.take();
}

/// What the template said when it refused.
pub fn raised() -> Option<String> {
    RAISED.take()
}

/// Compiles a template.
pub fn environment(source: &str) -> Result<Environment<'static>, Error> {
    let mut env = Environment::new();
    minijinja_contrib::add_to_environment(&mut env);
    env.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    env.set_auto_escape_callback(|_| AutoEscape::None);
    env.set_undefined_behavior(UndefinedBehavior::Lenient);
    env.set_unknown_method_callback(method);
    env.set_recursion_limit(RECURSION_MAX);
    env.add_filter("tojson", json::tojson);
    env.add_filter("indent", indent);
    env.add_filter("default", default);
    env.add_filter("d", default);
    // To minijinja text is no sequence, a map neither, and none can be iterated.
    env.add_test("iterable", |v: &Value| {
        use ValueKind::*;
        matches!(v.kind(), Undefined | String | Seq | Map | Iterable)
    });
    env.add_test("sequence", |v: &Value| matches!(v.kind(), ValueKind::String | ValueKind::Seq | ValueKind::Map));
    env.add_test("callable", |v: &Value| v.kind() == ValueKind::Plain);
    env.add_function("raise_exception", |message: Value| -> Result<Value, Error> {
        RAISED.set(Some(message.to_string()));
        Err(Error::new(ErrorKind::InvalidOperation, "raised"))
    });
    env.add_function("strftime_now", |format: &str| NOW.with_borrow(|now| strftime(now, format)));
    env.add_template_owned(NAME, adapted(&source.replace("\r\n", "\n").replace('\r', "\n")))?;
    Ok(env)
}

/// `{% generation %}` marks a span for training; while rendering it is a scope and no more. After `{% raw %}` Jinja2
/// keeps a line end that minijinja trims.
fn adapted(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, tag)) = rest.find("{%").map(|at| rest.split_at(at)) {
        let (tag, after) = tag.split_at(tag.find("%}").map_or(tag.len(), |end| end + 2));
        out.push_str(before);
        match tag.trim_matches(['{', '}', '%', '-', '+', ' ', '\t', '\n']) {
            "generation" => out.push_str(&tag.replace("generation", "with")),
            "endgeneration" => out.push_str(&tag.replace("endgeneration", "endwith")),
            "raw" if !tag.ends_with("-%}") => out.push_str(&tag.replace("%}", "+%}").replace("++", "+")),
            _ => out.push_str(tag),
        }
        rest = after;
    }
    out + rest
}

/// Python's methods of text that minijinja lacks.
fn method(state: &mut State, value: &Value, name: &str, args: &[Value]) -> Result<Value, Error> {
    let (Some(text), Some(part)) = (value.as_str(), args.first().and_then(|a| a.as_str())) else {
        return pycompat::unknown_method_callback(state, value, name, args);
    };
    match name {
        "removeprefix" => Ok(text.strip_prefix(part).unwrap_or(text).into()),
        "removesuffix" => Ok(text.strip_suffix(part).unwrap_or(text).into()),
        "partition" if !part.is_empty() => {
            let (head, tail) = text.split_once(part).unwrap_or((text, ""));
            let found = if head.len() == text.len() { "" } else { part };
            Ok(Tuple::from([head.into(), found.into(), tail.into()]).into())
        }
        "rsplit" if !part.is_empty() => {
            let parts = args.get(1).and_then(|n| n.as_usize()).map_or(usize::MAX, |splits| splits + 1);
            let mut parts: Vec<Value> = text.rsplitn(parts, part).map(Value::from).collect();
            parts.reverse();
            Ok(parts.into())
        }
        _ => pycompat::unknown_method_callback(state, value, name, args),
    }
}

/// Jinja2's `default`, whose second argument has a name, too.
fn default(value: Value, other: Option<Value>, falsy: Option<bool>, named: Kwargs) -> Result<Value, Error> {
    let other = other.or(named.get("default_value")?).unwrap_or_else(|| Value::from(""));
    let falsy = falsy.or(named.get("boolean")?).unwrap_or(false);
    named.assert_all_used()?;
    Ok(if value.is_undefined() || (falsy && !value.is_true()) { other } else { value })
}

/// Jinja2's `indent`, which keeps an empty last line.
fn indent(
    text: &str,
    width: Option<Value>,
    first: Option<bool>,
    blank: Option<bool>,
    named: Kwargs,
) -> Result<String, Error> {
    let width = width.or(named.get("width")?).unwrap_or(Value::from(4));
    let first = first.or(named.get("first")?).unwrap_or(false);
    let blank = blank.or(named.get("blank")?).unwrap_or(false);
    named.assert_all_used()?;
    let pad = width.as_usize().map_or_else(|| width.to_string(), |n| " ".repeat(n.min(INDENT_MAX)));
    let mut out = String::new();
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if (index == 0 && first) || (index > 0 && (blank || !line.is_empty())) {
            out.push_str(&pad);
        }
        out.push_str(line);
    }
    Ok(out)
}

/// Python's `strftime` in the C locale. A minus after the percent sign leaves out leading zeros.
fn strftime(now: &Now, format: &str) -> Result<String, Error> {
    let &(year, month, day, hour, minute, second, ref month_name, ref day_name) = now;
    let mut parts = format.split('%');
    let mut out = parts.next().unwrap_or_default().to_string();
    while let Some(part) = parts.next() {
        let bare = part.strip_prefix('-');
        let number = |n: u32, width: usize| if bare.is_some() { n.to_string() } else { format!("{n:0width$}") };
        let mut rest = bare.unwrap_or(part).chars();
        out += &match rest.next() {
            Some('Y') => number(year, 1),
            Some('y') => number(year % 100, 2),
            Some('m') => number(month, 2),
            Some('d') => number(day, 2),
            Some('H') => number(hour, 2),
            Some('I') => number((hour + 11) % 12 + 1, 2),
            Some('M') => number(minute, 2),
            Some('S') => number(second, 2),
            Some('B') => month_name.clone(),
            Some('b') => month_name[..3].to_string(),
            Some('A') => day_name.clone(),
            Some('a') => day_name[..3].to_string(),
            Some('p') => if hour < 12 { "AM" } else { "PM" }.to_string(),
            // Two percent signs write one; the next part is text.
            None if parts.clone().next().is_some() => format!("%{}", parts.next().unwrap_or_default()),
            _ => return Err(Error::new(ErrorKind::InvalidOperation, "unknown form of a time")),
        };
        out += rest.as_str();
    }
    Ok(out)
}
