// What a reader of code needs to know of a language to colour it: comments, strings, keywords.
// Names are those of the program's front ends; an unknown one is read as C-like.

export interface Language {
  line: string[];
  block: [string, string][];
  /** Opening and closing quote; a long one runs over lines. */
  strings: { open: string; close: string; long: boolean }[];
  keywords: Set<string>;
  /** Whether letter case does not matter. */
  folded: boolean;
}

const words = (text: string) => new Set(text.split(' '));

const QUOTES = [
  { open: '"', close: '"', long: false },
  { open: "'", close: "'", long: false },
];
const BACKTICK = { open: '`', close: '`', long: true };

const C_WORDS =
  'auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false NULL';
const CPP_WORDS = `${C_WORDS} alignas alignof and catch class concept consteval constexpr constinit co_await co_return co_yield decltype delete dynamic_cast explicit export final friend mutable namespace new noexcept not nullptr operator or override private protected public reinterpret_cast requires static_assert static_cast template this throw try typeid typename using virtual`;
const JAVA_WORDS =
  'abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for if implements import instanceof int interface long native new null package permits private protected public record return sealed short static strictfp super switch synchronized this throw throws transient true try var void volatile while yield';
const JS_WORDS =
  'abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface keyof let namespace never new null number of private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown var void while with yield';
const PYTHON_WORDS =
  'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield';
const RUST_WORDS =
  'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while';
const GO_WORDS =
  'break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var';
const CSHARP_WORDS = `${JAVA_WORDS} as async await base bool checked decimal delegate event explicit fixed foreach get goto implicit in init internal is lock namespace object operator out override params readonly ref sbyte set sizeof stackalloc string struct typeof uint ulong unchecked unsafe ushort using value virtual when where`;
const SQL_WORDS =
  'add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists foreign from full group having in index inner insert into is join key left like limit not null on or order outer primary references right rollback select set table then union unique update values view when where with';
const SHELL_WORDS = 'case do done elif else esac export fi for function if in local return then until while';
const LUA_WORDS =
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while';
const RUBY_WORDS =
  'alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield';
const HASKELL_WORDS =
  'case class data default deriving do else foreign if import in infix infixl infixr instance let module newtype of then type where';

function cLike(keywords: string, extra: Partial<Language> = {}): Language {
  return {
    line: ['//'],
    block: [['/*', '*/']],
    strings: QUOTES,
    keywords: words(keywords),
    folded: false,
    ...extra,
  };
}

function hashLike(keywords: string, extra: Partial<Language> = {}): Language {
  return { ...cLike(keywords), line: ['#'], block: [], ...extra };
}

const TRIPLE = ['"""', "'''"].map((quote) => ({ open: quote, close: quote, long: true }));
const python = hashLike(PYTHON_WORDS, { strings: [...TRIPLE, ...QUOTES] });
const javascript = cLike(JS_WORDS, { strings: [...QUOTES, BACKTICK] });
const dashes: Partial<Language> = { line: ['--'], block: [['/*', '*/']] };

const LANGUAGES: Record<string, Language> = {
  c: cLike(C_WORDS),
  cpp: cLike(CPP_WORDS),
  csharp: cLike(CSHARP_WORDS),
  java: cLike(JAVA_WORDS, { strings: [{ open: '"""', close: '"""', long: true }, ...QUOTES] }),
  kotlin: cLike(`${JAVA_WORDS} companion data fun in internal is object open override typealias val when`),
  scala: cLike(`${JAVA_WORDS} def given implicit lazy match object override trait type val with`),
  swift: cLike(`${GO_WORDS} as class deinit enum extension guard in init is let nil protocol self static super throw try where while`),
  dart: cLike(JS_WORDS),
  javascript,
  typescript: javascript,
  go: cLike(GO_WORDS, { strings: [...QUOTES, BACKTICK] }),
  rust: cLike(RUST_WORDS, { strings: [{ open: '"', close: '"', long: true }] }),
  php: cLike(`${JS_WORDS} echo elseif endif foreach global isset list namespace print require use`, { line: ['//', '#'] }),
  python,
  notebook: python,
  r: hashLike('break else FALSE for function if in Inf NA NaN next NULL repeat return TRUE while'),
  ruby: hashLike(RUBY_WORDS),
  shell: hashLike(SHELL_WORDS),
  bash: hashLike(SHELL_WORDS),
  perl: hashLike('else elsif for foreach if last local my next our package return sub unless until use while'),
  sql: cLike(SQL_WORDS, { ...dashes, folded: true }),
  lua: cLike(LUA_WORDS, { line: ['--'], block: [['--[[', ']]']] }),
  haskell: cLike(HASKELL_WORDS, { line: ['--'], block: [['{-', '-}']], strings: [QUOTES[0]!] }),
  matlab: hashLike('break case catch continue else elseif end for function global if otherwise return switch try while', { line: ['%'] }),
};

const OTHER = cLike(`${C_WORDS} ${JS_WORDS}`, { line: ['//', '#'] });

/** The language of a front end's name; null for prose, which has no colours. */
export function languageOf(name: string): Language | null {
  if (name === 'words' || name === 'chars' || name === 'text') return null;
  return Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name]! : OTHER;
}
