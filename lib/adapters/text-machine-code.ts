// The functions of `text-machine.ts` in WebAssembly, and where they expect things in memory.
import { FIRST_NUMBER } from '../core/transcript/long-texts'
import {
  add,
  and,
  answer,
  atLeast,
  block,
  bothBits,
  type Code,
  call,
  copyBytes,
  countTrailingZeros,
  during,
  eitherBits,
  equal,
  equal64,
  equalBytes,
  get,
  greater,
  highBits,
  int,
  isZero,
  leave,
  leaveIf,
  less,
  lessBytes,
  load8,
  load16,
  load32,
  load64,
  load128,
  long,
  loop,
  or,
  raise,
  select,
  set,
  shiftRight,
  shl,
  splat,
  store8,
  store32,
  store64,
  store128,
  sub,
  type WasmFunction,
  wasmModule,
  when,
} from './wasm-code'

/** The longest line that is looked into. Bytes. */
export const LINE_BYTES = 1 << 20
/** The most texts that are taken out of one line. */
export const MOST_TEXTS = 40
/** Shorter texts stay where they are. Bytes. */
export const LONG_TEXT = 96
/** What `scanLine` answers for a line that must be read in the ordinary way. */
export const DOUBTFUL = -1

/** As in `estimateUnits`: characters that are walked in one go, and how far before its place a later walk begins. */
const STRETCH = 1 << 18
const MEMORY = 24

/** Room around a line, and behind texts: reads and writes go up to 16 bytes beyond what they are about. */
const MARGIN = 64
/** A record of a text: where it stood in the line, where it stands now, whether it is more than ASCII, its weights. */
export const RECORD_BYTES = 32
export const RECORD = { rawFrom: 0, rawTo: 4, from: 8, to: 12, wide: 16, weights: 20 } as const

/** Addresses. */
export const AT = (() => {
  const records = 1024
  /** For each UTF-16 unit the byte that stands for it in a text without escapes: itself, or 128 + its class. */
  const units = records + MOST_TEXTS * RECORD_BYTES
  const table = units + 65_536
  const line = table + 65_536 + MARGIN
  const skeleton = line + LINE_BYTES + MARGIN
  // Stand-ins may be longer than nothing at all, but not longer than what they stand for.
  const texts = skeleton + LINE_BYTES + MARGIN
  return {
    /** For each byte after a backslash the byte that is meant; 0 when there is none. */
    escapes: 0,
    /** For each byte its value as a hexadecimal digit; 255 when it is none. */
    hex: 256,
    /** For each byte of a text without escapes its class, times four. */
    classes: 512,
    /** Where the last unescaped text ended, whether it has more than ASCII; the length of the skeleton, and the same. */
    textEnd: 768,
    wide: 772,
    skeletonLength: 776,
    skeletonWide: 780,
    records,
    units,
    table,
    line,
    skeleton,
    texts,
    end: texts + LINE_BYTES + MOST_TEXTS * MARGIN,
  }
})()

const PAGE = 1 << 16
const ascii = (text: string) => text.charCodeAt(0)
/** Characters as the machine loads them: the first one lowest. */
const packed = (text: string) => [...text].reduceRight((all, c) => (all << 8n) | BigInt(ascii(c)), 0n)

const [WALK, SKIM, UNESCAPE, SCAN] = [0, 1, 2, 3] as const

/** One step: the cell for the byte at `at` moves `state` on. Cells: the next state's place below, the weight above. */
function step(state: number, cell: number, at: Code, sum: number | null): Code {
  return [
    set(cell, load32([add(get(state), load8(load8(at), AT.classes))], AT.table)),
    sum === null ? [] : set(sum, add(get(sum), shiftRight(get(cell), int(16)))),
    set(state, and(get(cell), int(0xffff))),
  ]
}

/** `walk(from, to)`: the sum of the weights, walked as four quarters at once; see `estimateUnits`. */
function walk(): WasmFunction {
  const [from, to, end, quarter, at, cell, sum, second, third, a, b, c, d] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
  ] as const
  const head = (place: Code): Code => {
    const early = sub(place, int(MEMORY))
    // Addresses are far above MEMORY: no underflow.
    return call(SKIM, select(early, get(from), greater(early, get(from))), place)
  }
  const quarters = (count: number) =>
    add(get(from), count === 2 ? get(second) : count === 3 ? get(third) : get(quarter))
  return {
    parameters: 2,
    locals: [11],
    exported: 'walk',
    body: [
      during(less(get(from), get(to)), [
        set(end, add(get(from), int(STRETCH))),
        set(end, select(get(end), get(to), less(get(end), get(to)))),
        set(quarter, shiftRight(sub(get(end), get(from)), int(2))),
        set(second, shl(get(quarter), int(1))),
        set(third, add(get(quarter), get(second))),
        set(b, head(quarters(1))),
        set(c, head(quarters(2))),
        set(d, head(quarters(3))),
        set(at, get(from)),
        during(less(get(at), quarters(1)), [
          step(a, cell, get(at), sum),
          step(b, cell, add(get(at), get(quarter)), sum),
          step(c, cell, add(get(at), get(second)), sum),
          step(d, cell, add(get(at), get(third)), sum),
          raise(at, 1),
        ]),
        set(a, get(d)),
        set(at, add(get(at), get(third))),
        during(less(get(at), get(end)), [step(a, cell, get(at), sum), raise(at, 1)]),
        set(from, get(end)),
      ]),
      get(sum),
    ],
  }
}

/** `skim(from, to)`: the state after these bytes. */
function skim(): WasmFunction {
  const [from, to, state, cell] = [0, 1, 2, 3] as const
  return {
    parameters: 2,
    locals: [2],
    body: [
      during(less(get(from), get(to)), [step(state, cell, get(from), null), raise(from, 1)]),
      get(state),
    ],
  }
}

/**
 * `unescape(from, out)`: writes what stands in a JSON string without its escapes. Answers where its closing quote
 * stands; 0 when it has none, or anything that JSON or UTF-8 do not allow.
 */
function unescapeText(): WasmFunction {
  const [from, out, mask, byte, unit, wide, more] = [0, 1, 2, 3, 4, 5, 6] as const
  const bytes = 7
  const next = (ahead: number) => load8(get(from), ahead)
  const hex = (ahead: number) => load8(next(ahead), AT.hex)
  const emit = (value: Code): Code => [store8(get(out), load8(value, AT.units)), raise(out, 1)]
  const fail = answer(int(0))
  /** Takes the continuation bytes of a character into `unit`. */
  const continued = (lead: number, count: number): Code => [
    set(unit, and(get(byte), int(lead))),
    ...Array.from({ length: count }, (_, i) => [
      set(more, next(i + 1)),
      when(isZero(equal(and(get(more), int(0xc0)), int(0x80))), fail),
      set(unit, or(shl(get(unit), int(6)), and(get(more), int(0x3f)))),
    ]),
    raise(from, count + 1),
  ]
  const isSurrogate = equal(and(get(unit), int(0xf800)), int(0xd800))
  return {
    parameters: 2,
    locals: [5, 0, 1],
    body: [
      loop(
        set(bytes, load128(get(from))),
        store128(get(out), get(bytes)),
        // As signed bytes, what is not ASCII is below the space too.
        set(
          mask,
          highBits(
            eitherBits(
              lessBytes(get(bytes), splat(int(32))),
              eitherBits(
                equalBytes(get(bytes), splat(int(ascii('"')))),
                equalBytes(get(bytes), splat(int(ascii('\\')))),
              ),
            ),
          ),
        ),
        when(isZero(get(mask)), raise(from, 16), raise(out, 16), leave(1)),
        set(mask, countTrailingZeros(get(mask))),
        set(from, add(get(from), get(mask))),
        set(out, add(get(out), get(mask))),
        set(byte, next(0)),
        when(
          equal(get(byte), int(ascii('\\'))),
          set(unit, load8(next(1), AT.escapes)),
          when(get(unit), store8(get(out), get(unit)), raise(out, 1), raise(from, 2), leave(2)),
          when(isZero(equal(next(1), int(ascii('u')))), fail),
          set(more, or(or(hex(2), hex(3)), or(hex(4), hex(5)))),
          when(greater(get(more), int(15)), fail),
          set(unit, or(or(shl(hex(2), int(12)), shl(hex(3), int(8))), or(shl(hex(4), int(4)), hex(5)))),
          set(wide, or(get(wide), get(unit))),
          emit(get(unit)),
          raise(from, 6),
          leave(1),
        ),
        when(
          equal(get(byte), int(ascii('"'))),
          store32(int(AT.textEnd), get(out)),
          store32(int(AT.wide), greater(get(wide), int(127))),
          answer(get(from)),
        ),
        // Control characters, continuation bytes, and the beginnings of what could be written shorter.
        when(less(get(byte), int(0xc2)), fail),
        set(wide, int(255)),
        when(less(get(byte), int(0xe0)), continued(0x1f, 1), emit(get(unit)), leave(1)),
        when(
          less(get(byte), int(0xf0)),
          continued(0x0f, 2),
          when(or(less(get(unit), int(0x800)), isSurrogate), fail),
          emit(get(unit)),
          leave(1),
        ),
        when(greater(get(byte), int(0xf4)), fail),
        continued(0x07, 3),
        when(or(less(get(unit), int(0x10000)), greater(get(unit), int(0x10ffff))), fail),
        set(unit, sub(get(unit), int(0x10000))),
        emit(add(int(0xd800), shiftRight(get(unit), int(10)))),
        emit(add(int(0xdc00), and(get(unit), int(0x3ff)))),
        leave(0),
      ),
      int(0),
    ],
  }
}

/** Whether the name of the field before the colon at `at` is one whose long texts are taken out. */
function isTextField(at: number): Code {
  // Eight bytes at once; what stands before them is compared in its turn.
  const ends = (name: string) => equal64([load64(sub(get(at), int(8)))], long(packed(name.slice(-8))))
  const starts = (length: number, name: string) =>
    equal(
      length === 1 ? load8(sub(get(at), int(9))) : load16(sub(get(at), int(10))),
      int(Number(packed(name))),
    )
  return or(
    equal64(load64(sub(get(at), int(6))), long(packed('"text":"'))),
    or(and(ends('thinking"'), starts(2, '"t')), and(ends('summary"'), starts(1, '"'))),
  )
}

/**
 * `scan(length)`: finds the long texts of the line, writes the line with stand-ins for them, their records, and
 * the texts themselves. Answers their number, or DOUBTFUL.
 */
function scan(): WasmFunction {
  const [length, at, end, hits, colon, close, count, copied, skeleton, out, record] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ] as const
  const [escapes, escaped, before] = [11, 12, 13] as const
  const [bytes, following, all] = [14, 15, 16] as const
  const copyUpTo = (place: Code): Code => [
    copyBytes(get(skeleton), get(copied), sub(place, get(copied))),
    set(skeleton, add(get(skeleton), sub(place, get(copied)))),
    set(copied, place),
  ]
  const takeText: Code = [
    store32(get(record), add(get(colon), int(2)), RECORD.rawFrom),
    store32(get(record), get(close), RECORD.rawTo),
    store32(get(record), get(out), RECORD.from),
    store32(get(record), load32([int(AT.textEnd)]), RECORD.to),
    store32(get(record), load32([int(AT.wide)]), RECORD.wide),
    store32(get(record), call(WALK, get(out), load32([int(AT.textEnd)])), RECORD.weights),
    copyUpTo(add(get(colon), int(2))),
    // The stand-in: U+0001, and the number of the text.
    store64(get(skeleton), long(packed('\\u0001'))),
    store8(add(get(skeleton), int(6)), add(get(count), int(FIRST_NUMBER))),
    raise(skeleton, 7),
    set(copied, get(close)),
    raise(count, 1),
    raise(record, RECORD_BYTES),
    set(out, add(load32([int(AT.textEnd)]), int(16))),
  ]
  return {
    parameters: 1,
    locals: [13, 0, 3],
    exported: 'scan',
    body: [
      set(at, int(AT.line)),
      set(copied, int(AT.line)),
      set(skeleton, int(AT.skeleton)),
      set(out, int(AT.texts)),
      set(record, int(AT.records)),
      set(end, add(get(at), get(length))),
      // What follows the line must not look like a part of it.
      ...[0, 8, 16, 24].map((ahead) => store64(get(end), long(0n), ahead)),
      block(
        loop(
          leaveIf(1, atLeast(get(at), get(end))),
          set(bytes, load128(get(at))),
          set(following, load128(get(at), 1)),
          set(all, eitherBits(get(all), get(bytes))),
          set(
            escapes,
            highBits(
              bothBits(
                equalBytes(get(bytes), splat(int(ascii('\\')))),
                equalBytes(get(following), splat(int(ascii('u')))),
              ),
            ),
          ),
          set(
            hits,
            highBits(
              bothBits(
                equalBytes(get(bytes), splat(int(ascii(':')))),
                equalBytes(get(following), splat(int(ascii('"')))),
              ),
            ),
          ),
          during(get(hits), [
            set(colon, add(get(at), countTrailingZeros(get(hits)))),
            set(hits, and(get(hits), sub(get(hits), int(1)))),
            when(isTextField(colon), [
              set(close, call(UNESCAPE, add(get(colon), int(2)), get(out))),
              when(isZero(get(close)), answer(int(DOUBTFUL))),
              when(
                and(
                  greater(sub(get(close), get(colon)), int(LONG_TEXT + 2)),
                  less(get(count), int(MOST_TEXTS)),
                ),
                takeText,
                // Those before the text count, those in it do not.
                set(before, sub(shl(int(1), sub(get(colon), get(at))), int(1))),
                set(escaped, or(get(escaped), and(get(escapes), get(before)))),
                set(at, get(close)),
                // Out of the conditions and the loop over hits, on with the loop over the line.
                leave(4),
              ),
            ]),
          ]),
          set(escaped, or(get(escaped), get(escapes))),
          raise(at, 16),
          leave(0),
        ),
      ),
      // An escaped character outside of the texts might be a stand-in's.
      when(get(escaped), answer(int(DOUBTFUL))),
      copyUpTo(get(end)),
      store32(int(AT.skeletonLength), sub(get(skeleton), int(AT.skeleton))),
      store32(int(AT.skeletonWide), highBits(get(all))),
      get(count),
    ],
  }
}

/** The module: `memory`, `walk(from, to)` and `scan(length)`. */
export function textMachineModule(): Uint8Array<ArrayBuffer> {
  const functions: WasmFunction[] = []
  functions[WALK] = walk()
  functions[SKIM] = skim()
  functions[UNESCAPE] = unescapeText()
  functions[SCAN] = scan()
  return wasmModule(Math.ceil(AT.end / PAGE), functions)
}
