// A class of 300 as Moodle packs it, made up, with what goes wrong in one.
import { strToU8, zipSync, type Zippable } from 'fflate';

const FIRST = 'Ada Ben Cyd Dia Eva Finn Gil Hana Ivo Jon Kim Lea Mei Noa Ola Pia Raj Sam Uma Vic'.split(' ');
const LAST = 'Berg Costa Duarte Ek Fischer Grün Holm Ito Jansen Koch Lund Marić Novák Ost Park'.split(' ');

export interface Student {
  name: string;
  id: number;
  mail: string;
  group: string;
}

/** Students with numbers from `from` on; each has a name of their own. */
export const students = (n: number, from = 4000): Student[] =>
  Array.from({ length: n }, (_, i) => {
    const [first, last] = [FIRST[i % 20]!, LAST[Math.floor(i / 20) % 15]!];
    return {
      name: `${first} ${last}`,
      id: from + i,
      mail: `s${from + i}@example.edu`,
      group: i % 2 ? 'evening' : 'morning',
    };
  });

export const folder = ({ name, id }: Student) => `${name}_${id}_assignsubmission_file_`;

/** A program that no other number gives: the shape of its expressions and the order of its statements follow from it. */
export function program(number: number, remark = ''): string {
  let state = number + 1;
  const next = (n: number) => (state = (state * 48271) % 2147483647) % n;
  for (let i = 0; i < 8; i++) next(2);
  const pick = <T>(all: readonly T[]): T => all[next(all.length)]!;
  const words = 'count total index width price order shelf stock limit queue'.split(' ');
  const operators = '+ - * / % & | ^ << >>'.split(' ');
  const word = () => `${pick(words)}${next(90)}`;
  const value = (depth: number): string => {
    if (depth === 0) return next(2) ? word() : String(next(99));
    const inner = () => value(next(depth));
    return pick([
      () => `(${inner()} ${pick(operators)} ${inner()})`,
      () => `${word()}(${inner()}, ${inner()})`,
      () => `${word()}[${inner()}]`,
      () => `(${inner()} < ${inner()} ? ${inner()} : ${inner()})`,
      () => `-${inner()}`,
      () => `${word()}.${word()}(${inner()})`,
    ])();
  };
  const statement = () =>
    pick([
      () => `int ${word()} = ${value(4)};`,
      () => `if (${value(3)} > ${value(2)}) { ${word()} = ${value(3)}; }`,
      () => `while (${value(2)} != ${value(3)}) ${word()} += ${value(3)};`,
      () => `${word()}(${value(3)}, ${value(3)});`,
      () => `for (int i = ${value(2)}; i < ${value(2)}; i++) ${word()} ^= ${value(3)};`,
      () => `return ${value(4)};`,
    ])();
  const lines = Array.from({ length: 40 }, () => `        ${statement()}`);
  return `// ${remark}\nclass Task${number} {\n    int run() {\n${lines.join('\n')}\n    }\n}\n`;
}

export interface Class {
  zip: Buffer;
  list: Buffer;
}

/** The rows of a list: whose each folder is, with mail address and group. */
export const list = (people: readonly Student[]): Buffer =>
  Buffer.from(
    `file,author,login,label\n${people.map((one) => `${folder(one)},${one.name},${one.mail},${one.group}\n`).join('')}`,
  );

/** Zips what people hand in: a program each, by number; a few have more files. */
export function pack(people: readonly [Student, Record<string, string | Uint8Array>][]): Buffer {
  const files: Zippable = {};
  for (const [one, own] of people)
    for (const [name, content] of Object.entries(own))
      files[`${folder(one)}/${name}`] = typeof content === 'string' ? strToU8(content) : content;
  return Buffer.from(zipSync(files, { mtime: new Date(2026, 2, 2) }));
}

/** 300 people: the first has a program by the second, 12 add a compiled file, and 3 a damaged document. */
export function term(people: readonly Student[], sentence: string): Class {
  const compiled = new Uint8Array([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 0, 0, 0, 1, 2, 3, 0]);
  const damaged = strToU8('PK\u0003\u0004 this is no document');
  const work = people.map((one, i): [Student, Record<string, string | Uint8Array>] => {
    const own: Record<string, string | Uint8Array> = {
      'Task.java': program(i < 2 ? 1 : i, i === 0 ? sentence : 'by hand'),
    };
    if (i % 25 === 3) own['Task.class'] = compiled;
    if (i % 100 === 7) own['notes.docx'] = damaged;
    if (i % 3 === 2) own['Helper.java'] = program(1000 + i);
    return [one, own];
  });
  return { zip: pack(work), list: list(people) };
}
