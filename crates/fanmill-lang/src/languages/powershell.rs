//! PowerShell: the PowerShell Language Specification, 3.0.

use crate::{Case, Comment, Escape, Idioms, Import, Language, Numbers, Quote};

/// The table of PowerShell. A word may begin with `-`: operators, parameters, and the second half
/// of `Get-Item`.
pub(crate) const POWERSHELL: Language = Language {
    name: "powershell",
    aliases: &["ps1", "pwsh"],
    extensions: &["ps1", "psd1", "psm1"],
    interpreters: &["pwsh"],
    idioms: Idioms {
        common: "
            ^$ ^else ^foreach ^function ^if ^return ^}
        ",
        typical: "
            $_. $false $true -and [int] [string] ^param ^param( ^param·( ·-eq· ·-ne·
        ",
        sure: "
            -foregroundcolor get-childitem new-object select-object where-object write-error
            write-host write-output
        ",
    },
    case: Case::Ignored,
    sigils: "$-@",
    escapes: "`",
    keywords: &["
        $_ $false $null $this $true -and -as -band -bnot -bor -bxor -ccontains -ceq -cge -cgt -cle
        -clike -clt -cmatch -cne -contains -creplace -csplit -eq -f -ge -gt -in -is -isnot -join
        -le -like -lt -match -ne -not -notcontains -notin -notlike -notmatch -or -replace -shl
        -shr -split -xor begin break catch class continue data do dynamicparam else elseif end
        enum exit filter finally for foreach from function hidden if in param process return
        static switch throw trap try until using while workflow
    "],
    operators: &["++ -- += -= *= /= %= :: .. && || >> 2> 2>&1"],
    comments: &[Comment::line("#"), Comment::block("<#", "#>")],
    quotes: &[
        Quote::template("\"", "$(", b')').escape(Escape::By(b'`')),
        Quote::lines("'", "'").escape(Escape::Doubled),
        Quote::lines("@\"", "\n\"@").raw(),
        Quote::lines("@'", "\n'@").raw(),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    imports: &[Import::line("using"), Import::line("import").then("-Module")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::POWERSHELL;
    use crate::languages::expect;

    #[test]
    fn an_escaped_quote_opens_nothing() {
        expect(&POWERSHELL, "echo `\" a\nb `# c", "ID \" ID ID # ID");
    }

    #[test]
    fn worked_example() {
        expect(
            &POWERSHELL,
            r#"
Import-Module ActiveDirectory
<# block ' #>
function Get-It { param([string]$Path = 'it''s') # note "
  $s = "a $(Get-Item "b") `" c" + @"
raw " ' text
"@
  if ($s -EQ $null -or $x.y) { Get-ChildItem -Path C:\ | % { $_ } `
    ; $n++ } }
"#,
            "function ID ID { param ( [ ID ] ID = STR )
               ID = STR ID ID STR STR + STR
               if ( ID -eq $null -or ID . ID ) { ID ID ID ID : \\ | % { $_ } ; ID ++ } }",
        );
    }
}
