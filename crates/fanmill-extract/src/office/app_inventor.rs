//! App Inventor projects: the blocks of each screen as text, as those of Scratch are written.
//!
//! A project is a zip with a file of blocks (`.bky`, XML of Blockly) for each screen. The opcode of a block that belongs to a
//! component has the component's type and event, method or property behind it: `component_event_Button_Click`. Components'
//! names, variables and procedures are names; scripts are sorted by their structure. The design of screens is left out.
//!
//! Cost: O(n log n) in the files of blocks, for sorting; nothing recurses.
//! Source: Blockly, "Save and load", "XML system"; files that App Inventor writes.

use super::draft::Draft;
use super::package::Package;
use super::scratch::{Script, write};
use super::xml::{self, Element, Ending, Handler};
use crate::extracted::{Flag, ReadFailure};

/// The part that every project has, in lower case.
const PROPERTIES: &str = "youngandroidproject/project.properties";

/// Fields that hold names which the author gave.
const NAMES: [&str; 4] = ["COMPONENT_SELECTOR", "NAME", "PROCNAME", "VAR"];

/// Reads a package if it is a project; returns whether it is.
pub(super) fn read(package: &mut Package<'_>, draft: &mut Draft) -> Result<bool, ReadFailure> {
    if !package.has(PROPERTIES) {
        return Ok(false);
    }
    let is_blocks = |name: &&str| name.rsplit_once('.').is_some_and(|(_, own)| own == "bky");
    let screens: Vec<String> = package.names().filter(is_blocks).map(str::to_owned).collect();
    let mut is_empty = true;
    for screen in screens {
        let part = package.take(&screen)?.unwrap_or_default();
        let mut blocks = Blocks::default();
        if xml::read(&part, &mut blocks) == Ending::Damaged {
            draft.flag(Flag::Damaged);
        }
        let mut scripts = blocks.scripts;
        scripts.sort();
        for script in scripts {
            is_empty = false;
            write(script.text(), draft);
        }
    }
    if is_empty { Err(ReadFailure::skipped("no blocks")) } else { Ok(true) }
}

/// The place of a block in the one around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockPosition {
    Value,
    Statement,
    Next,
}

/// An open block.
#[derive(Debug)]
struct Open {
    level: usize,
    is_value: bool,
    /// True if the line that is being written belongs to this block.
    has_line: bool,
}

/// The reader of a screen's blocks.
#[derive(Debug, Default)]
struct Blocks {
    scripts: Vec<Script>,
    script: Script,
    open: Vec<Open>,
    places: Vec<BlockPosition>,
    /// The opcode of the innermost block until what belongs to it has been read.
    opcode: Option<String>,
    /// The text of the open field, and whether it is a name.
    field: Option<(bool, String)>,
}

impl Blocks {
    fn write_opcode(&mut self) {
        if let Some(opcode) = self.opcode.take() {
            self.script.opcode(&opcode);
        }
    }

    fn open_block(&mut self, element: &Element<'_>) {
        let (level, is_value) = match (self.open.last(), self.places.last()) {
            (Some(around), Some(BlockPosition::Value)) => (around.level, true),
            (Some(around), Some(BlockPosition::Statement)) => (around.level + 1, false),
            (Some(around), _) => (around.level, false),
            (None, _) => (0, false),
        };
        if is_value {
            self.script.open();
        } else {
            self.script.line(level);
        }
        self.opcode = Some(element.get("type").unwrap_or_default().into_owned());
        self.open.push(Open { level, is_value, has_line: true });
    }

    /// Begins a line for a part of the innermost block that follows a branch: `else`, or another condition.
    fn continue_line(&mut self, element: &Element<'_>) {
        let Some(block) = self.open.last_mut().filter(|block| !block.has_line) else { return };
        block.has_line = true;
        self.script.line(block.level);
        let name = element.get("name").unwrap_or_default();
        self.script.opcode(name.trim_end_matches(|c: char| c.is_ascii_digit()));
    }

    fn close_block(&mut self) {
        self.write_opcode();
        let Some(block) = self.open.pop() else { return };
        if block.is_value {
            self.script.close();
        }
        if self.open.is_empty() {
            self.scripts.push(std::mem::take(&mut self.script));
        }
    }
}

impl Handler for Blocks {
    fn open(&mut self, element: &Element<'_>) {
        match element.name() {
            "mutation" => {
                let parts = ["component_type", "event_name", "method_name", "property_name"];
                if let Some(opcode) = &mut self.opcode {
                    for part in parts.into_iter().filter_map(|part| element.get(part)) {
                        opcode.push('_');
                        opcode.push_str(&part);
                    }
                }
            }
            "block" => {
                self.write_opcode();
                self.open_block(element);
            }
            "field" | "title" => {
                self.write_opcode();
                let name = element.get("name").unwrap_or_default();
                self.field = Some((NAMES.contains(&&*name), String::new()));
            }
            "value" => {
                self.write_opcode();
                self.continue_line(element);
                self.places.push(BlockPosition::Value);
            }
            "statement" => {
                self.write_opcode();
                self.continue_line(element);
                if let Some(block) = self.open.last_mut() {
                    block.has_line = false;
                }
                self.places.push(BlockPosition::Statement);
            }
            "next" => {
                self.write_opcode();
                self.places.push(BlockPosition::Next);
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "block" => self.close_block(),
            "value" | "statement" | "next" => drop(self.places.pop()),
            "field" | "title" => match self.field.take() {
                Some((true, text)) => self.script.name(&text),
                Some((false, text)) => self.script.literal(&text.into()),
                None => {}
            },
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((_, field)) = &mut self.field {
            field.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::zip;
    use super::super::{Format, Limits, read};

    fn text(blocks: &str) -> String {
        let bytes = zip(&[
            ("youngandroidproject/project.properties", "main=a.Screen1"),
            ("src/appinventor/a/Screen1.bky", &format!("<xml>{blocks}<yacodeblocks/></xml>")),
            ("src/appinventor/a/Screen1.scm", "#|\n$JSON\n{}\n|#"),
        ]);
        let found = read(&bytes, &Limits::standard()).expect("read").expect("a project");
        assert_eq!(found.format, Format::Aia);
        found.text
    }

    #[test]
    fn a_block_is_a_line() {
        let get = "<block type=\"lexical_variable_get\"><field name=\"VAR\">n</field></block>";
        let number = "<block type=\"math_number\"><field name=\"NUM\">-3</field></block>";
        let set = format!(
            "<block type=\"component_set_get\"><mutation component_type=\"Label\" property_name=\"Text\" instance_name=\"L\"/>\
             <field name=\"COMPONENT_SELECTOR\">L</field><value name=\"VALUE\">{get}</value><next>\
             <block type=\"controls_break\"/></next></block>"
        );
        let blocks = format!(
            "<block type=\"component_event\" id=\"q\" x=\"4\"><mutation component_type=\"Button\" instance_name=\"B\" event_name=\"Click\"/>\
             <field name=\"COMPONENT_SELECTOR\">B</field><statement name=\"DO\"><block type=\"controls_if\"><mutation elseif=\"1\"/>\
             <value name=\"IF0\">{get}</value><statement name=\"DO0\">{set}</statement><value name=\"IF1\">{number}</value>\
             <statement name=\"DO1\"><block type=\"controls_break\"/></statement>\
             <statement name=\"ELSE\"><block type=\"controls_break\"/></statement></block></statement></block>"
        );
        let expected = "component_event_Button_Click: `B`
  controls_if: (lexical_variable_get: `n`)
    component_set_get_Label_Text: `L` (lexical_variable_get: `n`)
    controls_break:
  IF: (math_number: -3)
    controls_break:
  ELSE:
    controls_break:
";
        assert_eq!(text(&blocks), expected);
    }

    #[test]
    fn the_order_of_scripts_is_that_of_their_structure() {
        let [one, two] = ["math_add", "text_join"].map(|kind| {
            format!("<block type=\"{kind}\"><field name=\"NAME\">{kind}</field></block>")
        });
        assert_eq!(text(&format!("{one}{two}")), text(&format!("{two}{one}")));
    }
}
