//! `tojson` as `transformers` has it: Python's `json.dumps`, which keeps what is not ASCII and does not escape HTML.
use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Error, ErrorKind, Value};
use std::fmt::Write;

const DEPTH_MAX: usize = 100;

struct Dumps {
    indent: Option<String>,
    item_separator: String,
    key_separator: String,
    ascii: bool,
    sorted: bool,
}

pub fn tojson(value: Value, named: Kwargs) -> Result<Value, Error> {
    let present = |name: &str| named.get::<Option<Value>>(name).map(|v| v.filter(|v| !v.is_none()));
    let indent = present("indent")?.map(|v| v.as_usize().map_or_else(|| v.to_string(), |n| " ".repeat(n)));
    let default_item = if indent.is_some() { "," } else { ", " };
    let separators = match present("separators")? {
        Some(pair) => pair.try_iter()?.map(|v| v.to_string()).collect(),
        None => vec![default_item.to_string(), ": ".to_string()],
    };
    let [item_separator, key_separator]: [String; 2] =
        separators.try_into().map_err(|_| Error::new(ErrorKind::InvalidOperation, "separators are not a pair"))?;
    let ascii = named.get::<Option<bool>>("ensure_ascii")?.unwrap_or(false);
    let sorted = named.get::<Option<bool>>("sort_keys")?.unwrap_or(false);
    named.assert_all_used()?;
    let mut out = String::new();
    Dumps { indent, item_separator, key_separator, ascii, sorted }.value(&mut out, &value, 0)?;
    Ok(Value::from(out))
}

impl Dumps {
    fn value(&self, out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
        if depth > DEPTH_MAX {
            return Err(Error::new(ErrorKind::InvalidOperation, "nested too deeply"));
        }
        match value.kind() {
            ValueKind::None => out.push_str("null"),
            ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number if value.is_integer() => out.push_str(&value.to_string()),
            ValueKind::Number => out.push_str(&float(f64::try_from(value.clone())?)),
            ValueKind::String => self.text(out, value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => {
                let items = value.try_iter()?.collect();
                self.between(out, ['[', ']'], items, depth, |out, item| self.value(out, item, depth + 1))?;
            }
            ValueKind::Map => {
                let mut keys: Vec<Value> = value.try_iter()?.collect();
                if self.sorted {
                    keys.sort();
                }
                self.between(out, ['{', '}'], keys, depth, |out, key| {
                    self.text(out, key.as_str().unwrap_or(&key.to_string()));
                    out.push_str(&self.key_separator);
                    self.value(out, &value.get_item(key)?, depth + 1)
                })?;
            }
            _ => return Err(Error::new(ErrorKind::BadSerialization, "not JSON")),
        }
        Ok(())
    }

    fn between(
        &self,
        out: &mut String,
        brackets: [char; 2],
        items: Vec<Value>,
        depth: usize,
        write: impl Fn(&mut String, &Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        out.push(brackets[0]);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push_str(&self.item_separator);
            }
            self.line(out, depth + 1);
            write(out, item)?;
        }
        if !items.is_empty() {
            self.line(out, depth);
        }
        out.push(brackets[1]);
        Ok(())
    }

    fn line(&self, out: &mut String, depth: usize) {
        if let Some(indent) = &self.indent {
            out.push('\n');
            out.push_str(&indent.repeat(depth));
        }
    }

    fn text(&self, out: &mut String, text: &str) {
        out.push('"');
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                c if c < ' ' || self.ascii && c > '~' => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let _ = write!(out, "\\u{unit:04x}");
                    }
                }
                c => out.push(c),
            }
        }
        out.push('"');
    }
}

/// Python's `repr`: as Rust's, but 1e+20 and 1e-05.
fn float(number: f64) -> String {
    let text = format!("{number:?}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
            format!("{digits}e{sign}{exponent:0>2}")
        }
        None => text,
    }
}
