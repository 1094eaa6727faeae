//! HCL: the HCL Native Syntax Specification, hashicorp/hcl, "Lexical Elements".

use crate::{Comment, Language, Numbers, Quote, Terminator, Words};

/// The table of HCL and Terraform. Names of attributes are kept.
pub(crate) const HCL: Language = Language {
    name: "hcl",
    aliases: &["hcl2", "terraform"],
    extensions: &["hcl", "nomad", "tf", "tfvars"],
    words: Words::Keys("="),
    word_part: "-",
    keywords: &["
        any bool data dynamic else endfor endif false for if in list locals map module null number
        object output provider resource string terraform true variable
    "],
    operators: &["== != <= >= && || => ..."],
    comments: &[Comment::line("#"), Comment::line("//"), Comment::block("/*", "*/")],
    quotes: &[
        Quote::template("\"", "${", b'}').on_one_line(),
        Quote::here_document("<<", Terminator::Line),
    ],
    numbers: Numbers::STRICT,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::HCL;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &HCL,
            r#"
resource "aws_instance" "web" { # note
  ami = var.image-id // two
  tags = { Name = "a-${lower(var.n)}-b" }
  user_data = <<-EOT
    echo "hi" # not a comment
    EOT
  count = var.on ? 1.5 : 0 /* end */
}
"#,
            "resource STR STR { ami = ID . ID tags = { name = STR ID ( ID . ID ) STR }
               user_data = STR STR count = ID . ID ? NUM : NUM }",
        );
    }
}
