import type { Tokens } from '../units/units'
/**
 * The finite automaton behind `estimate.ts`: it walks a text one UTF-16 unit at a time and remembers just enough
 * (what kind of run it is in, how long, what was before) to say how likely a token of o200k_base starts here.
 * The kinds of run follow the encoding's own splitting pattern: words with one leading character, digits in threes,
 * runs of punctuation, white space, other scripts.
 */
import { AFTER_SCRIPT, SCRIPT_WEIGHTS, type Script, STATE_WEIGHTS } from './estimate-weights'

/** Classes of ASCII characters, and of accented Latin letters, which continue words. Their order is that of the weights. */
const LETTER = 0
const CAPITAL = 1
const ACCENTED = 2
const DIGIT = 3
const SPACE = 4
const TAB = 5
const NEWLINE = 6
const CONTROL = 7
const FIRST_PUNCTUATION = 8

/** Groups of punctuation that the encoding treats alike; each is one class. */
export const PUNCTUATION = [
  '"',
  "'`",
  '([{',
  '<',
  '>',
  ')]}',
  ',;',
  ':',
  '.',
  '/',
  '\\',
  '-=~',
  '*#',
  '|',
  '_',
  '!?@$%^&+',
] as const

const BACKSLASH = PUNCTUATION.indexOf('\\')
const FIRST_SCRIPT = FIRST_PUNCTUATION + PUNCTUATION.length

/** Blocks of Unicode above ASCII, as [first, last, class]. */
const BLOCKS: readonly (readonly [number, number, 'accented' | Script])[] = [
  [0x80, 0xbf, 'symbols'],
  [0xc0, 0x24f, 'accented'],
  [0x250, 0x2ff, 'symbols'],
  [0x300, 0x36f, 'accented'],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x52f, 'cyrillic'],
  [0x590, 0x5ff, 'hebrew'],
  [0x600, 0x7ff, 'arabic'],
  [0x900, 0x10ff, 'indic'],
  [0xe00, 0xeff, 'thai'],
  [0x1e00, 0x1eff, 'accented'],
  [0x2000, 0x206f, 'typographic'],
  [0x2070, 0x24ff, 'symbols'],
  [0x2500, 0x25ff, 'boxes'],
  [0x2600, 0x2fff, 'symbols'],
  [0x3000, 0x303f, 'wide'],
  [0x3040, 0x30ff, 'kana'],
  [0x3400, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'hangul'],
  [0xd800, 0xdbff, 'surrogates'],
  [0xdc00, 0xdfff, 'surrogateEnds'],
  [0xff00, 0xffef, 'wide'],
]
const SCRIPTS = Object.keys(SCRIPT_WEIGHTS) as Script[]
const CLASSES = FIRST_SCRIPT + SCRIPTS.length

/**
 * One state. `before` says what a word or a punctuation run leans on: `s` white space, `b` one backslash, `d` a digit,
 * `l` the lower-case half of a camelCase word, `n` anything else. `C` is a capitalised word, `M` one with several
 * capitals in front; `script` counts as its own kind of run.
 */
type State =
  | { kind: 'L'; before: string; length: number }
  | { kind: 'U'; before: string; length: number }
  | { kind: 'D'; length: number }
  | { kind: 'S' | 'T' | 'N'; length: number }
  | { kind: 'P'; group: number; length: number; before: string }
  | { kind: 'C' }
  | { kind: 'X'; script: Script; length: number }

/** Words of more letters than this are hardly words: random ids, repeated letters. */
const LONG_WORD = 16

const START: State = { kind: 'N', length: 1 }

function leaningOn(state: State): string {
  if (state.kind === 'S' || state.kind === 'T') return 's'
  if (state.kind === 'D') return 'd'
  if (state.kind === 'P' && state.group === BACKSLASH && state.length === 1) return 'b'
  return 'n'
}

function step(state: State, charClass: number): State {
  switch (charClass) {
    case LETTER:
    case ACCENTED:
      if (state.kind === 'L') return { ...state, length: Math.min(state.length + 1, LONG_WORD) }
      if (state.kind !== 'U') return { kind: 'L', before: leaningOn(state), length: 1 }
      if (state.length === 1) return { kind: 'L', before: `${state.before}C`, length: 2 }
      return { kind: 'L', before: 'M', length: Math.min(state.length + 1, LONG_WORD) }
    case CAPITAL:
      if (state.kind === 'U') return { ...state, length: Math.min(state.length + 1, LONG_WORD) }
      return { kind: 'U', before: state.kind === 'L' ? 'l' : leaningOn(state), length: 1 }
    case DIGIT:
      return { kind: 'D', length: state.kind === 'D' ? (state.length % 3) + 1 : 1 }
    case SPACE:
      return { kind: 'S', length: state.kind === 'S' || state.kind === 'T' ? 2 : 1 }
    case TAB:
      return { kind: 'T', length: state.kind === 'S' || state.kind === 'T' ? 2 : 1 }
    case NEWLINE:
      return { kind: 'N', length: state.kind === 'N' ? 2 : 1 }
    case CONTROL:
      return { kind: 'C' }
  }
  if (charClass < FIRST_SCRIPT) {
    const group = charClass - FIRST_PUNCTUATION
    if (state.kind === 'P') return { kind: 'P', group, length: Math.min(state.length + 1, 3), before: '' }
    return { kind: 'P', group, length: 1, before: state.kind === 'S' ? 's' : '' }
  }
  const script = SCRIPTS[charClass - FIRST_SCRIPT] as Script
  return { kind: 'X', script, length: state.kind === 'X' && state.script === script ? 2 : 1 }
}

/** Equal for equal states, different for different ones. */
function keyOf(state: State): string {
  switch (state.kind) {
    case 'L':
    case 'U':
      return `${state.kind}${state.before}${state.length}`
    case 'P':
      return `P${state.group}/${state.length}${state.before}`
    case 'X':
      return `X${state.script}${state.length}`
    case 'C':
      return 'C'
    default:
      return `${state.kind}${state.length}`
  }
}

/** The row of `STATE_WEIGHTS` that a state uses; several lengths share one. */
function rowName(state: State): string {
  switch (state.kind) {
    case 'L':
      return `L${state.before}${state.length < LONG_WORD ? Math.min(state.length, 6) : LONG_WORD}`
    case 'U':
      return `U${state.before}${state.length < LONG_WORD ? Math.min(state.length, 4) : LONG_WORD}`
    case 'P':
      return `P${PUNCTUATION[state.group]}${state.length}${state.before}`
    case 'C':
    case 'X':
      return state.kind
    default:
      return `${state.kind}${state.length}`
  }
}

/** Equal for states that every class leads on from to the same state; of words, every class but that of a letter. */
function goesOnLike(state: State): string {
  switch (state.kind) {
    case 'L':
    case 'U':
      return 'word'
    case 'D':
      return `D${state.length}`
    case 'P':
      return `P${state.length}${leaningOn(state)}`
    case 'X':
      return `X${state.script}`
    default:
      return state.kind
  }
}

/** Weights are stored as 512ths, above the 18 bits that hold the next state's offset. */
export const WEIGHT_SCALE = 512
export const WEIGHT_SHIFT = 18
export const OFFSET_MASK = (1 << WEIGHT_SHIFT) - 1

export type Automaton = {
  /** Class of each UTF-16 code. */
  readonly classes: Uint8Array
  /** At offset of state + class: the weight (see above) and the offset of the next state. State 0 starts a text. */
  readonly table: Int32Array
}

let tables: Automaton | null = null

/** The estimator's automaton, which is the same for all; takes a few milliseconds the first time. */
export function estimatorTables(): Automaton {
  tables ??= buildAutomaton()
  return tables
}

function buildAutomaton(): Automaton {
  const states: State[] = []
  const ids = new Map<string, number>()
  const offsetOf = (state: State): number => {
    const key = keyOf(state)
    const known = ids.get(key)
    if (known !== undefined) return known
    const offset = states.push(state) * CLASSES - CLASSES
    ids.set(key, offset)
    return offset
  }
  offsetOf(START)
  const weights = new Map<string, Int32Array>(STATE_WEIGHTS.map(([name, row]) => [name, shiftedWeights(row)]))
  weights.set('X', shiftedWeights(AFTER_SCRIPT))
  const cells: number[] = []
  // States that go on alike share what comes next: found once, not for each of the hundreds of states.
  const nextOf = new Map<string, number[]>()
  for (const state of states) {
    const name = rowName(state)
    const row = weights.get(name)
    if (row === undefined) throw new Error(`no weights for the state ${name}`)
    const isWord = state.kind === 'L' || state.kind === 'U'
    const scripts = scriptWeights(state)
    const alike = goesOnLike(state)
    let next = nextOf.get(alike)
    if (next === undefined) {
      next = []
      nextOf.set(alike, next)
    }
    for (let c = 0; c < CLASSES; c++) {
      const isOwn = isWord && c <= ACCENTED
      const offset = (isOwn ? undefined : next[c]) ?? offsetOf(step(state, c))
      if (!isOwn) next[c] = offset
      cells.push(((c < FIRST_SCRIPT ? row[c] : scripts[c - FIRST_SCRIPT]) ?? 0) | offset)
    }
  }
  return { classes: classesOfCodes(), table: Int32Array.from(cells) }
}

/** Decodes a row of thousandths in two digits of base 62 each: 0–9, A–Z, a–z. */
function shiftedWeights(row: string): Int32Array {
  const weights = new Int32Array(row.length / 2)
  for (let i = 0; i < weights.length; i++) {
    const thousandths = digitValue(row.charCodeAt(2 * i)) * 62 + digitValue(row.charCodeAt(2 * i + 1))
    weights[i] = shifted(thousandths / 1000)
  }
  return weights
}

function digitValue(code: number): number {
  return code < 58 ? code - 48 : code < 91 ? code - 55 : code - 61
}

function shifted(tokens: Tokens): number {
  return Math.round(tokens * WEIGHT_SCALE) << WEIGHT_SHIFT
}

const [FRESH, SPACED, CONTINUED] = [0, 1, 2].map((column) =>
  SCRIPTS.map((script) => shifted(SCRIPT_WEIGHTS[script][column] ?? 0)),
) as [number[], number[], number[]]

/** Weights of the scripts, in their order, behind a state. */
function scriptWeights(state: State): readonly number[] {
  if (state.kind === 'S') return SPACED
  if (state.kind !== 'X') return FRESH
  const own = SCRIPTS.indexOf(state.script)
  return FRESH.with(own, CONTINUED[own] ?? 0)
}

function classesOfCodes(): Uint8Array {
  const classOf = (name: 'accented' | Script) =>
    name === 'accented' ? ACCENTED : FIRST_SCRIPT + SCRIPTS.indexOf(name)
  const classes = new Uint8Array(65_536).fill(classOf('rare'))
  for (const [first, last, name] of BLOCKS) classes.fill(classOf(name), first, last + 1)
  classes.fill(CONTROL, 0, 128)
  for (let code = 0; code < 26; code++) {
    classes[97 + code] = LETTER
    classes[65 + code] = CAPITAL
  }
  for (let code = 48; code < 58; code++) classes[code] = DIGIT
  classes[32] = SPACE
  classes[9] = TAB
  classes[10] = NEWLINE
  classes[13] = NEWLINE
  PUNCTUATION.forEach((group, index) => {
    for (const char of group) classes[char.charCodeAt(0)] = FIRST_PUNCTUATION + index
  })
  return classes
}
