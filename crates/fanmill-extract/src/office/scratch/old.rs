//! Scripts of Scratch 2: blocks are lists that begin with a selector, such as `["forward:", 10]`.

use serde_json::Value;

use super::Script;

/// Returns the scripts of a sprite.
pub(super) fn scripts(sprite: &Value) -> Vec<Script> {
    let scripts = sprite["scripts"].as_array().into_iter().flatten();
    scripts.map(|script| script_of(&script[2])).filter(|script| !script.text.is_empty()).collect()
}

/// A part of a script that is to be written.
enum Part<'p> {
    /// A block on a line of its own.
    Line(&'p Value, usize),
    /// An argument: a literal, or a block within the line.
    Argument(&'p Value),
    /// The end of a block within a line.
    Close,
    /// The line between two branches.
    Else(usize),
}

/// Writes a list of blocks. What is to come lies on a stack, the next part on top.
fn script_of(blocks: &Value) -> Script {
    let mut script = Script::default();
    let mut parts = Vec::new();
    push_lines(blocks, 0, &mut parts);
    while let Some(part) = parts.pop() {
        match part {
            Part::Line(block, level) => {
                script.line(level);
                script.opcode(block[0].as_str().unwrap_or_default());
                let arguments = arguments(block).iter().rev();
                let branches: Vec<&Value> =
                    arguments.clone().filter(|value| is_stack(value)).collect();
                for (number, branch) in branches.iter().enumerate() {
                    push_lines(branch, level + 1, &mut parts);
                    // The branches are pushed from the last to the first.
                    if number + 1 < branches.len() {
                        parts.push(Part::Else(level));
                    }
                }
                let own = arguments.filter(|value| !is_stack(value));
                parts.extend(own.map(Part::Argument));
            }
            Part::Argument(block @ Value::Array(list)) => {
                let Some(selector) = list.first().and_then(Value::as_str) else { continue };
                script.open();
                script.opcode(selector);
                parts.push(Part::Close);
                parts.extend(arguments(block).iter().rev().map(Part::Argument));
            }
            Part::Argument(value) => script.literal(value),
            Part::Close => script.close(),
            Part::Else(level) => {
                script.line(level);
                script.opcode("else");
            }
        }
    }
    script
}

/// Returns what follows the selector of a block.
fn arguments(block: &Value) -> &[Value] {
    block.as_array().and_then(|list| list.get(1..)).unwrap_or_default()
}

/// Returns whether a value is a list of blocks.
fn is_stack(value: &Value) -> bool {
    value[0].is_array()
}

fn push_lines<'p>(blocks: &'p Value, level: usize, parts: &mut Vec<Part<'p>>) {
    let blocks = blocks.as_array().into_iter().flatten().rev();
    parts.extend(blocks.map(|block| Part::Line(block, level)));
}
