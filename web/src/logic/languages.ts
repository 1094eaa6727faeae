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
const DOUBLE = [QUOTES[0]!];
const python = hashLike(PYTHON_WORDS, { strings: [...TRIPLE, ...QUOTES] });
const javascript = cLike(JS_WORDS, { strings: [...QUOTES, BACKTICK] });
const shell = hashLike(SHELL_WORDS);
const sql = cLike(SQL_WORDS, { line: ['--'], folded: true });
const lisp = cLike(
  'cond def defmacro defn defun define do else false fn if lambda let nil quote set setf true when',
  {
    line: [';'],
    block: [['#|', '|#']],
    strings: DOUBLE,
  },
);
const ml = cLike(
  'and as begin do done else end exception false fun function if in let match module mutable of open rec struct then to true try type val when while with',
  { line: [], block: [['(*', '*)']], strings: DOUBLE },
);
const pascal = cLike(
  'and array begin case const div do downto else elsif end false for function if in mod module nil not of or procedure program record repeat return set string then to true type unit until uses var while with',
  {
    block: [
      ['{', '}'],
      ['(*', '*)'],
    ],
    folded: true,
  },
);
const basic = cLike(
  'and as boolean byref byval case const dim do double each else elseif end exit false for function if in integer loop me new next not nothing or private public return select set static step string sub then to true until wend while with',
  { line: ["'"], block: [], strings: DOUBLE, folded: true },
);
const assembler = hashLike('', { line: [';', '#'], folded: true });
const data = hashLike('false null true no yes');
const fortran = cLike(
  'allocate call character common contains continue dimension do double else end endif enddo exit format function go goto if implicit in integer intent logical module none out parameter precision print program read real return stop subroutine then use while write',
  { line: ['!'], block: [], folded: true },
);

const LANGUAGES: Record<string, Language> = {
  a8086: assembler,
  ada: cLike(
    'and array begin body case declare else elsif end exit for function if in is loop not null of or out package procedure range record return subtype then type use when while with',
    { line: ['--'], block: [], strings: DOUBLE, folded: true },
  ),
  awk: hashLike(
    'BEGIN break continue delete do else END exit for function getline if in next print printf return while',
  ),
  c: cLike(C_WORDS),
  clojure: lisp,
  cobol: cLike(
    'accept add call compute data display division else end evaluate file if into move multiply not of perform pic procedure read section stop subtract then thru times to until using value varying when working-storage write',
    { line: ['*>'], block: [], folded: true },
  ),
  cpp: cLike(CPP_WORDS),
  csharp: cLike(CSHARP_WORDS),
  css: cLike('important', { line: [] }),
  d: cLike(
    `${CPP_WORDS} alias debug foreach function import in invariant is lazy module out pure ref scope unittest version`,
  ),
  dart: cLike(JS_WORDS),
  dockerfile: hashLike('add arg cmd copy entrypoint env expose from label run user volume workdir', {
    folded: true,
  }),
  elixir: hashLike(
    'after and case cond def defmodule defp do else end false fn for if import in nil not or raise receive rescue true unless use when with',
    { strings: [TRIPLE[0]!, ...QUOTES] },
  ),
  erlang: hashLike('after and begin case catch end fun if not of or receive try when', { line: ['%'] }),
  fortran,
  fortran77: fortran,
  fsharp: { ...ml, line: ['//'] },
  go: cLike(GO_WORDS, { strings: [...QUOTES, BACKTICK] }),
  graphql: hashLike(
    'enum extend fragment implements input interface mutation on query scalar schema subscription type union',
  ),
  groovy: cLike(`${JAVA_WORDS} as def in trait`, { strings: [...TRIPLE, ...QUOTES] }),
  haskell: cLike(HASKELL_WORDS, { line: ['--'], block: [['{-', '-}']], strings: DOUBLE }),
  hcl: data,
  html: cLike('', { line: [], block: [['<!--', '-->']] }),
  java: cLike(JAVA_WORDS, { strings: [TRIPLE[0]!, ...QUOTES] }),
  javascript,
  json: cLike('false null true', { strings: DOUBLE }),
  julia: hashLike(
    'abstract begin break catch const continue do else elseif end export false for function global if import in let local macro module mutable return struct true try using while',
    { block: [['#=', '=#']], strings: [TRIPLE[0]!, ...DOUBLE] },
  ),
  kotlin: cLike(`${JAVA_WORDS} companion data fun in internal is object open override typealias val when`, {
    strings: [TRIPLE[0]!, ...QUOTES],
  }),
  lisp,
  lua: cLike(LUA_WORDS, { line: ['--'], block: [['--[[', ']]']] }),
  makefile: hashLike('define else endef endif ifdef ifeq ifndef ifneq include'),
  matlab: hashLike(
    'break case catch continue else elseif end for function global if otherwise return switch try while',
    { line: ['%'] },
  ),
  mips: assembler,
  modula2: pascal,
  nim: hashLike(
    `${PYTHON_WORDS} case const discard iterator let method nil object of proc ptr ref result template type var when`,
  ),
  objectivec: cLike(
    `${C_WORDS} id in nil self super YES NO @interface @implementation @end @property @protocol`,
  ),
  ocaml: ml,
  pascal,
  perl: hashLike(
    'else elsif for foreach if last local my next our package return sub unless until use while',
  ),
  php: cLike(`${JS_WORDS} echo elseif endif foreach global isset list namespace print require use`, {
    line: ['//', '#'],
  }),
  plsql: sql,
  powershell: hashLike(
    'begin break catch continue do else elseif end exit filter finally for foreach function if in param process return switch throw try until while',
    { block: [['<#', '#>']], folded: true },
  ),
  prolog: cLike('is not', { line: ['%'] }),
  protobuf: cLike(
    'bool bytes double enum float import int32 int64 map message oneof option optional package repeated required returns rpc service string syntax uint32 uint64',
  ),
  python,
  r: hashLike('break else FALSE for function if in Inf NA NaN next NULL repeat return TRUE while'),
  racket: lisp,
  ruby: hashLike(RUBY_WORDS),
  rust: cLike(RUST_WORDS, { strings: [{ open: '"', close: '"', long: true }] }),
  scala: cLike(`${JAVA_WORDS} def given implicit lazy match object override trait type val with`, {
    strings: [TRIPLE[0]!, ...QUOTES],
  }),
  scheme: lisp,
  shell,
  sml: ml,
  solidity: cLike(
    `${JS_WORDS} address constructor contract emit event external internal mapping memory modifier payable pragma require struct uint uint256 view`,
  ),
  spice: cLike('', { line: ['*', '$'], block: [] }),
  sql,
  swift: cLike(
    `${GO_WORDS} as class deinit enum extension guard in init is let nil protocol self static super throw try where while`,
    { strings: [TRIPLE[0]!, ...DOUBLE] },
  ),
  tcl: hashLike(
    'break continue else elseif expr for foreach global if incr proc puts return set switch upvar while',
  ),
  toml: { ...data, line: ['#', ';'] },
  typescript: javascript,
  verilog: cLike(
    'always and assign begin case default else end endcase endfunction endmodule for function if initial inout input integer logic module negedge or output parameter posedge reg wire while',
  ),
  vhdl: cLike(
    'all and architecture array begin case component downto else elsif end entity for function generic if in is library loop map not of or others out package port process range signal then to type use variable when',
    { line: ['--'], block: [], folded: true },
  ),
  visualbasic: basic,
  yaml: data,
  zig: cLike(
    'and break catch comptime const continue defer else enum error export extern false fn for if inline null or orelse packed pub return struct switch test true try undefined union unreachable usingnamespace var while',
  ),
};

const OTHER = cLike(`${C_WORDS} ${JS_WORDS}`, { line: ['//', '#'] });

/** Front ends that read words or characters: their texts have no colours. */
const PROSE = new Set(['words', 'chars', 'markdown', 'latex', 'text', 'mail']);

export const isProse = (name: string) => PROSE.has(name);

/** The language of a front end's name; null for prose. */
export function languageOf(name: string): Language | null {
  if (isProse(name)) return null;
  return Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name]! : OTHER;
}
