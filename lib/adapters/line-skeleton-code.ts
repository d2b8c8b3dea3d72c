// The function of `line-skeleton.ts` in WebAssembly, and where it expects things in memory.
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
  divide,
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
  lessUnsignedBytes,
  load8,
  load32,
  load64,
  load128,
  long,
  loop,
  or,
  raise,
  select,
  set,
  splat,
  store8,
  store32,
  store64,
  sub,
  type WasmFunction,
  wasmModule,
  when,
} from './wasm-code'

/** The longest line that is looked into. Bytes. */
export const LINE_BYTES = 1 << 20
/** Texts of up to so many UTF-16 units stay where they are. */
export const SHORT_TEXT = 127
/** The most bytes that one UTF-16 unit takes in UTF-8. */
const MOST_PER_UNIT = 3

/** Room behind a line: reads go up to 32 bytes beyond. */
const MARGIN = 64

/** Addresses. */
export const AT = {
  /** For each byte after a backslash: 1 for an escape of two characters. */
  escapes: 0,
  /** For each byte its value as a hexadecimal digit; 255 when it is none. */
  hex: 256,
  /** Not 0: the skeleton is more than ASCII. */
  wide: 512,
  /** How many units the text that was skipped last has at least. */
  units: 516,
  /** Not 0: the counts that were skipped last have others in them. */
  nested: 520,
  line: 576,
  skeleton: 576 + LINE_BYTES + MARGIN,
  end: 576 + 2 * (LINE_BYTES + MARGIN),
} as const

const PAGE = 1 << 16
const [SKIP, SHOWS, STRIP, NUMBER, COUNTS] = [0, 1, 2, 3, 4] as const

const ascii = (text: string) => text.charCodeAt(0)
/** Eight characters as the machine loads them: the first one lowest. */
const packed = (text: string) => [...text].reduceRight((all, c) => (all << 8n) | BigInt(ascii(c)), 0n)

/**
 * `skip(from)`: where the closing quote of the JSON string stands whose text begins at `from`; 0 when it has none, or
 * anything that JSON does not allow, or half of a character as an escape. What is not UTF-8 is let pass: decoded it
 * would be characters too.
 */
function skip(): WasmFunction {
  const [from, mask, byte, first, escaped] = [0, 1, 2, 3, 4] as const
  const [bytes, all] = [5, 6] as const
  const next = (ahead: number) => load8(get(from), ahead)
  const hex = (ahead: number) => load8(next(ahead), AT.hex)
  const fail = answer(int(0))
  return {
    parameters: 1,
    locals: [4, 0, 2],
    body: [
      set(first, get(from)),
      loop(
        set(bytes, load128(get(from))),
        set(all, eitherBits(get(all), get(bytes))),
        set(
          mask,
          highBits(
            eitherBits(
              lessUnsignedBytes(get(bytes), splat(int(32))),
              eitherBits(
                equalBytes(get(bytes), splat(int(ascii('"')))),
                equalBytes(get(bytes), splat(int(ascii('\\')))),
              ),
            ),
          ),
        ),
        when(isZero(get(mask)), raise(from, 16), leave(1)),
        set(from, add(get(from), countTrailingZeros(get(mask)))),
        set(byte, next(0)),
        when(equal(get(byte), int(ascii('"'))), [
          set(first, sub(sub(get(from), get(first)), get(escaped))),
          // What follows the text counts too: too few units do no harm.
          when(highBits(get(all)), set(first, divide(get(first), int(MOST_PER_UNIT)))),
          store32(int(AT.units), get(first)),
          answer(get(from)),
        ]),
        when(isZero(equal(get(byte), int(ascii('\\')))), fail),
        when(load8(next(1), AT.escapes), raise(from, 2), raise(escaped, 1), leave(1)),
        when(isZero(equal(next(1), int(ascii('u')))), fail),
        when(greater(or(or(hex(2), hex(3)), or(hex(4), hex(5))), int(15)), fail),
        when(and(equal(hex(2), int(0xd)), atLeast(hex(3), int(8))), fail),
        raise(from, 6),
        raise(escaped, 5),
        leave(0),
      ),
      int(0),
    ],
  }
}

/** `shows(from, to)`: 1 when something in the text is certainly no blank of any script. */
function shows(): WasmFunction {
  const [from, to, byte] = [0, 1, 2] as const
  const isOneOf = (letters: string) =>
    [...letters].map((letter) => equal(get(byte), int(ascii(letter)))).reduce((all, one) => or(all, one))
  const yes = answer(int(1))
  return {
    parameters: 2,
    locals: [1],
    body: [
      during(less(get(from), get(to)), [
        set(byte, load8(get(from))),
        when(equal(get(byte), int(ascii('\\'))), [
          set(byte, load8(get(from), 1)),
          when(equal(get(byte), int(ascii('u'))), answer(int(0))),
          when(isZero(isOneOf('nrtf')), yes),
          raise(from, 2),
          // Out of the condition, on with the loop.
          leave(2),
        ]),
        when(and(greater(get(byte), int(0x20)), less(get(byte), int(0x80))), yes),
        // Blanks beyond ASCII begin with C2, E1, E2, E3 or EF; what is not UTF-8 is shown as U+FFFD.
        when(and(greater(get(byte), int(0xc2)), less(get(byte), int(0xe1))), yes),
        when(and(greater(get(byte), int(0xe3)), isZero(equal(get(byte), int(0xef)))), yes),
        raise(from, 1),
      ]),
      int(0),
    ],
  }
}

const isByte = (at: Code, letter: string) => equal(load8(at), int(ascii(letter)))

/** `number(at)`: where the JSON number ends that begins at `at`; 0 when there is none. */
function number(): WasmFunction {
  const at = 0
  const isDigit = less(sub(load8(get(at)), int(ascii('0'))), int(10))
  const digits: Code = [when(isZero(isDigit), answer(int(0))), during(isDigit, raise(at, 1))]
  const is = (letter: string) => isByte(get(at), letter)
  return {
    parameters: 1,
    locals: [0],
    body: [
      when(is('-'), raise(at, 1)),
      // A zero in front stands alone.
      when(and(is('0'), less(sub(load8(get(at), 1), int(ascii('0'))), int(10))), answer(int(0))),
      digits,
      when(is('.'), raise(at, 1), digits),
      when(or(is('e'), is('E')), raise(at, 1), when(or(is('+'), is('-')), raise(at, 1)), digits),
      get(at),
    ],
  }
}

/**
 * `counts(at, levels)`: where the object ends whose first name begins at `at`, if it has numbers only, or so many
 * levels of objects of numbers, by names of letters and with no blanks; else 0.
 */
function counts(): WasmFunction {
  const [at, levels] = [0, 1] as const
  const isLetter = less(sub(or(load8(get(at)), int(0x20)), int(ascii('a'))), int(26))
  const fail = answer(int(0))
  const demand = (letter: string): Code => [when(isZero(isByte(get(at), letter)), fail), raise(at, 1)]
  return {
    parameters: 2,
    locals: [0],
    body: [
      loop(
        demand('"'),
        during(isLetter, raise(at, 1)),
        demand('"'),
        demand(':'),
        when(
          isByte(get(at), '{'),
          when(isZero(get(levels)), fail),
          store32(int(AT.nested), int(1)),
          set(at, call(COUNTS, add(get(at), int(1)), sub(get(levels), int(1)))),
          when(isZero(get(at)), fail),
        ),
        // Behind an object no number follows.
        when(isZero(isByte(sub(get(at), int(1)), '}')), [
          set(at, call(NUMBER, get(at))),
          when(isZero(get(at)), fail),
        ]),
        when(isByte(get(at), ','), raise(at, 1), leave(1)),
      ),
      demand('}'),
      get(at),
    ],
  }
}

/** Ends of the names of fields whose long texts nobody looks into, with their quote: eight characters at most. */
const FIELD_ENDS = ['thinking"', '"content"', 'Signature"', '"summary"', 'newText"', 'oldText"']

/** Whether the field before the colon at `at` is one whose long texts are taken out. */
function isTextField(at: number): Code {
  const longer = FIELD_ENDS.map((name) => equal64(load64(sub(get(at), int(8))), long(packed(name.slice(-8)))))
  return longer.reduce(
    (all, one) => or(all, one),
    equal64(load64(sub(get(at), int(6))), long(packed('"text":"'))),
  )
}

/**
 * `strip(length)`: writes the line at `AT.line` to `AT.skeleton`, with one letter in place of each long text, and
 * nothing in what models used. Answers its length, or 0 when the line must be read as it is.
 */
function strip(): WasmFunction {
  const [length, at, end, hits, colon, close, copied, skeleton] = [0, 1, 2, 3, 4, 5, 6, 7] as const
  const [bytes, all] = [8, 9] as const
  const copyUpTo = (place: Code): Code => [
    copyBytes(get(skeleton), get(copied), sub(place, get(copied))),
    set(skeleton, add(get(skeleton), sub(place, get(copied)))),
  ]
  return {
    parameters: 1,
    locals: [7, 0, 2],
    exported: 'strip',
    body: [
      set(at, int(AT.line)),
      set(copied, int(AT.line)),
      set(skeleton, int(AT.skeleton)),
      set(end, add(get(at), get(length))),
      // What follows the line must not look like a part of it.
      ...[0, 8, 16, 24].map((ahead) => store64(get(end), long(0n), ahead)),
      block(
        loop(
          leaveIf(1, atLeast(get(at), get(end))),
          set(bytes, load128(get(at))),
          set(all, eitherBits(get(all), get(bytes))),
          set(
            hits,
            highBits(
              bothBits(
                equalBytes(get(bytes), splat(int(ascii(':')))),
                eitherBits(
                  equalBytes(load128(get(at), 1), splat(int(ascii('"')))),
                  equalBytes(load128(get(at), 1), splat(int(ascii('{')))),
                ),
              ),
            ),
          ),
          during(get(hits), [
            set(colon, add(get(at), countTrailingZeros(get(hits)))),
            set(hits, and(get(hits), sub(get(hits), int(1)))),
            when(equal64(load64(sub(get(colon), int(8))), long(packed(',"usage"'))), [
              store32(int(AT.nested), int(0)),
              set(close, call(COUNTS, add(get(colon), int(2)), int(1))),
              when(and(greater(get(close), int(0)), isByte(add(get(colon), int(1)), '{')), [
                copyUpTo(add(get(colon), int(1))),
                // As deep as what it stands for.
                store64(get(skeleton), long(packed('{"x":{}}'))),
                when(isZero(load32([int(AT.nested)])), store8(add(get(skeleton), int(1)), int(ascii('}')))),
                set(skeleton, add(get(skeleton), select(int(8), int(2), load32([int(AT.nested)])))),
                set(copied, get(close)),
                set(at, get(close)),
                leave(4),
              ]),
            ]),
            when(isTextField(colon), [
              set(close, call(SKIP, add(get(colon), int(2)))),
              when(isZero(get(close)), answer(int(0))),
              when(greater(load32([int(AT.units)]), int(SHORT_TEXT)), [
                when(isZero(call(SHOWS, add(get(colon), int(2)), get(close))), answer(int(0))),
                copyUpTo(add(get(colon), int(2))),
                store8(get(skeleton), int(ascii('x'))),
                raise(skeleton, 1),
                set(copied, get(close)),
                set(at, get(close)),
                // Out of the conditions and the loop over hits, on with the loop over the line.
                leave(4),
              ]),
            ]),
          ]),
          raise(at, 16),
          leave(0),
        ),
      ),
      copyUpTo(get(end)),
      store32(int(AT.wide), highBits(get(all))),
      sub(get(skeleton), int(AT.skeleton)),
    ],
  }
}

/** The module: `memory` and `strip(length)`. */
export function skeletonModule(): Uint8Array<ArrayBuffer> {
  const functions: WasmFunction[] = []
  functions[SKIP] = skip()
  functions[SHOWS] = shows()
  functions[STRIP] = strip()
  functions[NUMBER] = number()
  functions[COUNTS] = counts()
  return wasmModule(Math.ceil(AT.end / PAGE), functions)
}
