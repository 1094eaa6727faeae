//! Scratch projects: the scripts of each sprite as text, a line for each block.
//!
//! A project is a zip with `project.json` (a sprite: `sprite.json`), in which blocks refer to each other by random names. Each
//! script becomes a paragraph. A line has the block's opcode and its inputs; blocks inside another one are indented:
//!
//! ```text
//! # sprite Cat
//!
//! event_whenflagclicked:
//! control_forever:
//!   motion_movesteps: 10
//!   control_if: (operator_gt: `score` 50)
//!     looks_sayforsecs: "Hello!" 2
//! ```
//!
//! Names of variables, lists, messages and custom blocks are in backticks. The scripts of a sprite are sorted by their
//! structure, and inputs by their names, so that neither random names nor places on the screen matter, nor the author's
//! names. Costumes, sounds, monitors, comments and sprites without scripts are left out.
//!
//! Cost: O(n log n) in the project, for sorting; each block is written once, whatever refers to it. Nothing recurses but the
//! parser of JSON, which stops at a depth of 128.
//! Source: Scratch Wiki, "Scratch File Format", "Targets" and "Blocks"; for Scratch 2, "Scratch File Format (2.0)".

use std::collections::BTreeSet;

use fanmill_text::counted::counted;
use serde_json::{Map, Value};

use super::draft::{Draft, LineTarget};
use super::package::Package;
use crate::extracted::ReadFailure;

mod old;
#[cfg(test)]
mod tests;

/// Maximum number of bytes of a project's description: Scratch's own limit is 5 MB. As a tree it takes 16 times as much.
const PROJECT_BYTES: usize = 8 << 20;

/// Maximum number of levels that are indented.
const INDENTED: usize = 32;

/// Reads a package if it is a project or a sprite; returns whether it is.
pub(super) fn read(package: &mut Package<'_>, draft: &mut Draft) -> Result<bool, ReadFailure> {
    let name = if package.has("project.json") { "project.json" } else { "sprite.json" };
    let Some(bytes) = package.take_bytes(name)? else { return Ok(false) };
    if bytes.len() > PROJECT_BYTES {
        let limit = counted(PROJECT_BYTES as u64, "byte", "bytes");
        return Err(ReadFailure::skipped(format!("its part `{name}` is over {limit}")));
    }
    let Ok(root) = serde_json::from_slice::<Value>(&bytes) else { return Ok(false) };
    drop(bytes);
    let Some(sprites) = sprites(&root) else { return Ok(false) };
    let mut is_empty = true;
    for sprite in sprites {
        let mut scripts = match &sprite["blocks"] {
            Value::Object(blocks) => Blocks::new(blocks).scripts(),
            _ => old::scripts(sprite),
        };
        if scripts.is_empty() {
            continue;
        }
        is_empty = false;
        scripts.sort();
        write(&heading(sprite), draft);
        for script in scripts {
            write(script.text(), draft);
        }
    }
    if is_empty {
        return Err(ReadFailure::skipped("no scripts"));
    }
    Ok(true)
}

/// Returns whether an entry, by its name in lower case, is a part of a project: its blocks, a picture or a sound.
pub(super) fn is_part(name: &str) -> bool {
    let extensions = ["png", "svg", "jpg", "jpeg", "gif", "bmp", "wav", "mp3"];
    let is_media = || name.rsplit_once('.').is_some_and(|(_, own)| extensions.contains(&own));
    matches!(name, "project.json" | "sprite.json") || is_media()
}

/// Returns the stage and the sprites of a project, or a sprite that is a file of its own; `None` if it is neither.
fn sprites(root: &Value) -> Option<Vec<&Value>> {
    let is_sprite = |value: &&Value| value["blocks"].is_object();
    if let Some(targets) = root["targets"].as_array() {
        let are_sprites = !targets.is_empty() && targets.iter().all(|target| is_sprite(&target));
        return are_sprites.then(|| targets.iter().collect());
    }
    if root["objName"].is_string() {
        let children = root["children"].as_array().into_iter().flatten();
        return Some(std::iter::once(root).chain(children).collect());
    }
    (is_sprite(&root) && root["costumes"].is_array()).then(|| vec![root])
}

fn heading(sprite: &Value) -> String {
    if sprite["isStage"] == true {
        return "# stage".to_owned();
    }
    let name = sprite["name"].as_str().or(sprite["objName"].as_str());
    format!("# sprite {}", name.unwrap_or_default().replace(['\n', '\r'], " "))
}

/// Writes a script, or a heading, as a paragraph.
pub(super) fn write(text: &str, draft: &mut Draft) {
    draft.open_line();
    draft.push(text);
    draft.close_line(LineTarget::Body);
}

/// A script under construction. Scripts are ordered by their shape.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Script {
    /// The text without what a copy may change: names, numbers and strings.
    shape: String,
    text: String,
}

impl Script {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Begins a line.
    pub(super) fn line(&mut self, level: usize) {
        let indent = "  ".repeat(level.min(INDENTED));
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&indent);
        self.shape.push('\n');
        self.shape.push_str(&indent);
    }

    /// Adds an opcode, which has no blanks and quotes.
    pub(super) fn opcode(&mut self, opcode: &str) {
        let is_part = |c: char| c.is_alphanumeric() || "_+-*/%&|<>=".contains(c);
        let word: String = opcode.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
        for out in [&mut self.text, &mut self.shape] {
            out.push_str(word.trim_end_matches('_'));
            out.push(':');
        }
    }

    /// Begins a block within the line.
    pub(super) fn open(&mut self) {
        self.text.push_str(" (");
        self.shape.push_str(" (");
    }

    pub(super) fn close(&mut self) {
        self.text.push(')');
        self.shape.push(')');
    }

    /// Adds a name that the author gave.
    pub(super) fn name(&mut self, name: &str) {
        self.text.push_str(" `");
        self.text.extend(name.chars().map(|c| match c {
            '`' => '\'',
            c if c.is_control() => ' ',
            c => c,
        }));
        self.text.push('`');
        self.shape.push_str(" n");
    }

    /// Adds a literal: a number as it is, anything else as a string.
    pub(super) fn literal(&mut self, value: &Value) {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Null => return,
            value => value.to_string(),
        };
        self.text.push(' ');
        if text.starts_with(|c: char| c.is_ascii_digit() || "-.".contains(c))
            && text.ends_with(|c: char| c.is_ascii_digit())
            && text.parse::<f64>().is_ok()
        {
            self.text.push_str(&text);
            self.shape.push_str(" 0");
            return;
        }
        self.text.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => self.text.extend(['\\', c]),
                c if c.is_control() => self.text.push(' '),
                c => self.text.push(c),
            }
        }
        self.text.push('"');
        self.shape.push_str(" s");
    }
}

/// The blocks of a sprite, by their ids.
struct Blocks<'p> {
    blocks: &'p Map<String, Value>,
    /// Ids of blocks that have been written.
    written: BTreeSet<&'p str>,
}

/// A part of a script that is to be written.
enum Part<'p> {
    /// A block, and those below it.
    Stack { id: &'p str, level: usize },
    /// The second branch of a block.
    Else { level: usize },
    /// An input.
    Input(&'p Value),
    /// A field, which is a choice of a menu or a name.
    Field { value: &'p Value, is_name: bool },
    /// The end of a block within a line.
    Close,
}

impl<'p> Blocks<'p> {
    fn new(blocks: &'p Map<String, Value>) -> Blocks<'p> {
        Blocks { blocks, written: BTreeSet::new() }
    }

    fn scripts(&mut self) -> Vec<Script> {
        let tops = self.blocks.iter().filter(|(_, block)| block["topLevel"] == true);
        let tops: Vec<&str> = tops.map(|(id, _)| id.as_str()).collect();
        let scripts = tops.into_iter().map(|id| self.script(id));
        scripts.filter(|script| !script.text.is_empty()).collect()
    }

    /// Returns the block with an id, the first time that it is asked for.
    fn take(&mut self, id: &str) -> Option<&'p Value> {
        let (id, block) = self.blocks.get_key_value(id)?;
        self.written.insert(id).then_some(block)
    }

    /// Writes the script that begins with a block. What is to come lies on a stack, the next part on top.
    fn script(&mut self, top: &'p str) -> Script {
        let mut script = Script::default();
        let mut parts = vec![Part::Stack { id: top, level: 0 }];
        while let Some(part) = parts.pop() {
            match part {
                Part::Stack { id, level } => {
                    let Some(block) = self.take(id) else { continue };
                    script.line(level);
                    script.opcode(opcode(block));
                    if let Some(id) = block["next"].as_str() {
                        parts.push(Part::Stack { id, level });
                    }
                    branches(block, level + 1, &mut parts);
                    arguments(block, &mut parts);
                }
                Part::Else { level } => {
                    script.line(level);
                    script.opcode("else");
                }
                Part::Input(input) => self.input(input, &mut script, &mut parts),
                Part::Field { value, is_name: true } => {
                    script.name(value.as_str().unwrap_or_default());
                }
                Part::Field { value, is_name: false } => script.literal(value),
                Part::Close => script.close(),
            }
        }
        script
    }

    /// Writes an input: a literal, a name, or a block within the line.
    fn input(&mut self, input: &'p Value, script: &mut Script, parts: &mut Vec<Part<'p>>) {
        match input {
            // Kinds 11 to 13 are messages, variables and lists, by name and id.
            Value::Array(value) => match (value.first().and_then(Value::as_u64), value.get(1)) {
                (Some(11..=13), Some(name)) => script.name(name.as_str().unwrap_or_default()),
                (_, Some(value)) => script.literal(value),
                _ => {}
            },
            Value::String(id) => {
                let Some(block) = self.take(id) else { return };
                // A shadow is a menu, or the field for a value.
                if block["shadow"] != true {
                    script.open();
                    script.opcode(opcode(block));
                    parts.push(Part::Close);
                }
                arguments(block, parts);
            }
            _ => {}
        }
    }
}

fn opcode(block: &Value) -> &str {
    block["opcode"].as_str().unwrap_or_default()
}

/// Returns the value of an input: the block in it, or the contents of its field.
fn value_of(input: &Value) -> &Value {
    &input[1]
}

/// Pushes the stacks of blocks inside a block, the first on top.
fn branches<'p>(block: &'p Value, level: usize, parts: &mut Vec<Part<'p>>) {
    let branch = |name: &str| value_of(&block["inputs"][name]).as_str();
    if let Some(id) = branch("SUBSTACK2") {
        parts.push(Part::Stack { id, level });
        parts.push(Part::Else { level: level - 1 });
    }
    if let Some(id) = branch("SUBSTACK") {
        parts.push(Part::Stack { id, level });
    }
}

/// Pushes the fields and inputs of a block, the first on top. Their names are in alphabetical order, but for the inputs of
/// custom blocks, whose names are random.
fn arguments<'p>(block: &'p Value, parts: &mut Vec<Part<'p>>) {
    let mut own = Vec::new();
    let is_parameter = opcode(block).starts_with("argument_");
    for (_, field) in sorted(&block["fields"]) {
        own.push(Part::Field { value: &field[0], is_name: is_parameter || field[1].is_string() });
    }
    let code = &block["mutation"]["proccode"];
    if code.is_string() {
        own.push(Part::Field { value: code, is_name: true });
    }
    let listed = block["mutation"]["argumentids"].as_str();
    let ids = listed.and_then(|list| serde_json::from_str::<Vec<String>>(list).ok());
    if let Some(ids) = ids {
        own.extend(ids.iter().map(|id| Part::Input(value_of(&block["inputs"][id]))));
    } else {
        let inputs = sorted(&block["inputs"]).into_iter();
        let inputs = inputs.filter(|(name, _)| !name.starts_with("SUBSTACK"));
        own.extend(inputs.map(|(_, input)| Part::Input(value_of(input))));
    }
    parts.extend(own.into_iter().rev());
}

/// Returns the members of an object by their names.
fn sorted(object: &Value) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = object.as_object().into_iter().flatten().collect();
    members.sort_by_key(|member| member.0);
    members
}
