// Pseudonyms for showing a report in a meeting: two words for each submission, the same as long as
// the report's submissions are the same, and in no order that tells who is who.

const FIRST =
  'Amber Ashen Azure Bold Brass Brisk Calm Cedar Clear Cobalt Copper Coral Crisp Dapper Dusky Early Ember Fern Frosty Gentle Golden Grand Hazel Hidden Honey Humble Indigo Iron Ivory Jade Keen Late Lilac Lively Lucky Lunar Maple Mellow Merry Misty Noble Olive Opal Pale Patient Pearl Plain Proud Quick Quiet Rapid Rosy Ruby Rustic Sandy Scarlet Silent Silver Solar Steady Swift Tawny Velvet Wild'.split(
    ' ',
  );
const SECOND =
  'Badger Bear Beaver Bison Bittern Cheetah Condor Cormorant Crane Curlew Deer Dolphin Dormouse Dove Eagle Falcon Ferret Finch Fox Gannet Gecko Goose Grouse Hare Hawk Heron Ibex Ibis Jackdaw Jay Kestrel Kite Lark Lemur Linnet Lynx Magpie Marten Merlin Mole Moose Newt Osprey Otter Owl Panda Pelican Plover Puffin Quail Raven Robin Salmon Seal Shrew Stork Swan Tern Thrush Toad Trout Vole Wren Yak'.split(
    ' ',
  );

/** FNV-1a over UTF-16 units, 32 bits: spreads names, keeps no secret. */
export function hash(text: string, seed = 0x811c9dc5): number {
  let value = seed >>> 0;
  for (let i = 0; i < text.length; i++) {
    value ^= text.charCodeAt(i);
    value = Math.imul(value, 0x01000193) >>> 0;
  }
  // Finish as MurmurHash3 does: the low bits of FNV differ too little for similar names.
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b) >>> 0;
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35) >>> 0;
  return (value ^ (value >>> 16)) >>> 0;
}

/** A pseudonym for each name, all different. */
export function pseudonyms(names: readonly string[]): string[] {
  const seed = hash([...names].sort().join('\0'));
  const order = names.map((name, i) => ({ i, key: hash(name, seed) }));
  order.sort((x, y) => x.key - y.key || x.i - y.i);
  const room = FIRST.length * SECOND.length;
  const out = new Array<string>(names.length);
  order.forEach(({ i }, rank) => {
    // A step that shares no factor with the room visits every combination once.
    const slot = (rank * 1237 + (seed % room)) % room;
    const name = `${FIRST[slot % FIRST.length]} ${SECOND[Math.floor(slot / FIRST.length)]}`;
    const round = Math.floor(rank / room);
    out[i] = round === 0 ? name : `${name} ${round + 1}`;
  });
  return out;
}

/** Numbers for the values of a set, from 1, in an order that says nothing. */
export function numbered(values: readonly string[]): Map<string, number> {
  const unique = [...new Set(values)].sort((x, y) => hash(x) - hash(y));
  return new Map(unique.map((value, i) => [value, i + 1]));
}
