import { DIGEST_SHARES } from '../../summary/digest'
import { MOST_LOCATORS } from '../../summary/digest-facts'
import { ASKS } from '../../summary/digest-prose'
import { commonFrom, worthOfAge, worthOfTimes } from '../../summary/identifier-ranking'
import type { Tokens } from '../../units/units'
import { DIGEST_LINES, NEVER } from '../replay-session'
import { RULE_NEED, type SessionShape } from './session-shape'
import { spanFacts } from './span-facts'

/** Shares that are prose. What tasks and errors leave over is not counted on, so that the count is a lower bound. */
const PROSE = DIGEST_SHARES.asks + DIGEST_SHARES.decisions + DIGEST_SHARES.todos + DIGEST_SHARES.errors

/** What a line that says where to read a result again takes, about, and what is said of a file besides its path. Tokens. */
const [LOCATOR_LINE, FILE_USE] = [25, 5]

/**
 * The ranking goes in steps, eight to a doubling of the worth; spans of one step are taken in the order of their numbers.
 * A step is the exponent of a number with the first three bits behind it.
 */
const STEPS = 512
const BITS_BELOW = 20
const LEAST_BITS = 100 << 3
const bits = new Int32Array(1)
const worthOf = new Float32Array(bits.buffer)

/** What a digest replaces: all chunks before `to`, at a call, and the tokens it may take. */
type Digested = {
  readonly to: number
  readonly call: number
  readonly tokens: Tokens
  /** The spans that it is made of; null: all that are in those chunks. */
  readonly among: SpanList | null
}

/** The first so many of a list. */
export type SpanList = { readonly spans: Int32Array; readonly count: number }

/** By place in the list that is ranked: the step of its worth, from 1; 0: it is no candidate. */
let steps = new Uint16Array(0)
let ties = new Int32Array(0)
/** By calls: what is left so many of them later. */
let agesOf = new Float64Array(0)
const taken = new Int32Array(STEPS)

/**
 * Marks what our digest of a part would hold: its spans by the digest's own ranking, the files that calls were about and
 * the lines that it takes over by their own shares, newest first. Answers from how many tokens on it names results with
 * where to read them again.
 * @param held by span; it gets `generation` for what is held
 */
export function digestHolds(
  shape: SessionShape,
  part: Digested,
  held: Int32Array,
  generation: number,
): Tokens {
  const { to, tokens, among } = part
  const { ranked, firstHolder } = spanFacts(shape)
  const forRules = tokens * DIGEST_SHARES.constraints
  const forRest = tokens * (1 - PROSE - DIGEST_SHARES.recovery)
  if (among !== null) {
    const left = rulesHeld(shape, among, { to, room: forRules }, held, generation)
    rankedHeld(shape, among, { to, call: part.call, room: forRest - (forRules - left) }, held, generation)
    return NEVER
  }
  const lines = linesHeld(shape, to, tokens, held, generation)
  const files = filesHeld(shape, { to, room: tokens * DIGEST_SHARES.files }, held, generation)
  const before = { spans: ranked, count: countBefore(ranked, firstHolder, to) }
  const room = forRest + lines.left - lines.rules - files
  rankedHeld(shape, before, { to, call: part.call, room }, held, generation)
  return locatedFrom(shape, to, Math.floor((tokens * DIGEST_SHARES.recovery) / LOCATOR_LINE))
}

/**
 * Marks what the lines hold that a digest takes over word for word from the chunks before one, as far as their shares go:
 * the newest message of the user in any case, the first and two older ones, rules and decisions, newest first. Sentences
 * that say the same as a newer one are not passed over as the digest does, so that it may hold more.
 * @returns what the rules take, and what is left of the shares of asks and decisions, which names fill
 */
function linesHeld(
  { session }: SessionShape,
  to: number,
  tokens: Tokens,
  held: Int32Array,
  generation: number,
): { readonly rules: Tokens; readonly left: Tokens } {
  const { lines } = session
  // Every session has a message of the user: of one without lines nothing is known of them.
  if (lines.count === 0) return { rules: 0, left: 0 }
  const rules = tokens * DIGEST_SHARES.constraints
  lineRoom[LINE.goal] = lineRoom[LINE.ask] = (tokens * DIGEST_SHARES.asks) / 2
  lineRoom[LINE.rule] = rules
  lineRoom[LINE.decision] = tokens * DIGEST_SHARES.decisions
  lineRoom[LINE.newest] = tokens > 0 ? NEVER : 0
  let [asked, message, newest] = [0, -1, 0]
  for (let n = lines.count - 1; n >= 0; n--) {
    const chunk = lines.chunk[n] as number
    if (chunk >= to) continue
    const kind = lines.kind[n] as number
    if (kind === LINE.newest || kind === LINE.ask) {
      if (chunk !== message) [asked, message] = [asked + 1, chunk]
      if (kind === LINE.newest ? asked > 1 : asked === 1 || asked > ASKS) continue
    }
    const cost = lines.tokens[n] as number
    if (cost > (lineRoom[kind] as number)) continue
    lineRoom[kind] = (lineRoom[kind] as number) - cost
    if (kind === LINE.newest) newest += cost
    const end = lines.offset[n + 1] as number
    for (let i = lines.offset[n] as number; i < end; i++) held[lines.span[i] as number] = generation
  }
  const over = [LINE.goal, LINE.ask, LINE.decision].reduce((sum, kind) => sum + (lineRoom[kind] as number), 0)
  return { rules: rules - (lineRoom[LINE.rule] as number), left: Math.max(0, over - newest) }
}

/** Numbers of the kinds of lines. */
const LINE = Object.fromEntries(DIGEST_LINES.map((name, i) => [name, i])) as {
  readonly [K in (typeof DIGEST_LINES)[number]]: number
}

/** By kind of line: the tokens that are left for it. */
const lineRoom = new Float64Array(DIGEST_LINES.length)

/** How many of the ranked spans are in a part of the session: a search by halves. */
function countBefore(ranked: Int32Array, firstHolder: Int32Array, to: number): number {
  let [low, high] = [0, ranked.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((firstHolder[ranked[middle] as number] as number) < to) low = middle + 1
    else high = middle
  }
  return low
}

/** A share of a digest: chunks before `to`, and the tokens that it has. */
type DigestShare = { readonly to: number; readonly room: Tokens }

/** Marks the spans of highest worth that there is room for. */
function rankedHeld(
  shape: SessionShape,
  { spans: list, count }: SpanList,
  { to, call, room }: DigestShare & Pick<Digested, 'call'>,
  held: Int32Array,
  generation: number,
): void {
  const { firstHolder, writtenFirst, worth, ranked } = spanFacts(shape)
  const { offset, holder, tokens } = shape.session.spans
  const { born } = shape.session.chunks
  const common = commonFrom(shape.placeOf[Math.max(0, to - 1)] ?? 0)
  if (steps.length < count) steps = new Uint16Array(count * 2)
  if (agesOf.length <= call) agesOf = Float64Array.from({ length: call * 2 + 1 }, (_, ago) => worthOfAge(ago))
  const [stepAt, ages] = [steps, agesOf]
  taken.fill(0)
  for (let i = 0; i < count; i++) {
    const s = list[i] as number
    const fixed = worth[s] as number
    stepAt[i] = 0
    if (fixed === 0 || (firstHolder[s] as number) >= to || held[s] === generation) continue
    const from = offset[s] as number
    let last = (offset[s + 1] as number) - 1
    while ((holder[last] as number) >= to) last--
    const seen = last - from + 1
    const age = ages[call - (born[holder[last] as number] as number)] as number
    const use = worthOfTimes(seen, (writtenFirst[s] as number) < to) * age
    const step = stepOf(fixed * (seen > common ? 0.5 : 1) * use)
    stepAt[i] = step + 1
    taken[step] = (taken[step] as number) + (tokens[s] as number) + 1
  }
  let [step, left, tied] = [STEPS - 1, room, 0]
  while (step > 0 && (taken[step] as number) <= left) left -= taken[step--] as number
  if (ties.length < count) ties = new Int32Array(count * 2)
  for (let i = 0; i < count; i++) {
    const own = (stepAt[i] as number) - 1
    if (own > step) held[list[i] as number] = generation
    else if (own === step) ties[tied++] = list[i] as number
  }
  // Those of a part are in the order of their holders.
  if (list === ranked) ties.subarray(0, tied).sort()
  for (let i = 0; i < tied; i++) {
    const s = ties[i] as number
    if ((tokens[s] as number) >= left) continue
    left -= (tokens[s] as number) + 1
    held[s] = generation
  }
}

/** Marks rules, newest first; answers the tokens that they leave. */
function rulesHeld(
  shape: SessionShape,
  { spans: list, count }: SpanList,
  { to, room }: DigestShare,
  held: Int32Array,
  generation: number,
): Tokens {
  const { firstHolder } = spanFacts(shape)
  const { kind, tokens } = shape.session.spans
  let left = room
  for (let i = count - 1; i >= 0; i--) {
    const s = list[i] as number
    const cost = (tokens[s] as number) + 1
    if (kind[s] !== RULE_NEED || (firstHolder[s] as number) >= to || cost > left) continue
    left -= cost
    held[s] = generation
  }
  return left
}

/** Marks the files that calls before a chunk were about, those of the latest calls first; answers what they take. */
function filesHeld(
  { session, fileCalls }: SessionShape,
  { to, room }: DigestShare,
  held: Int32Array,
  generation: number,
): Tokens {
  const { chunks, spans } = session
  let taken = 0
  for (let i = fileCalls.length - 1; i >= 0; i--) {
    const chunk = fileCalls[i] as number
    const file = chunks.file[chunk] as number
    if (chunk >= to || held[file] === generation) continue
    const cost = (spans.tokens[file] as number) + FILE_USE
    if (taken + cost > room) break
    taken += cost
    held[file] = generation
  }
  return taken
}

/** The step of a worth, from 0. */
function stepOf(worth: number): number {
  worthOf[0] = worth
  const step = ((bits[0] as number) >> BITS_BELOW) - LEAST_BITS
  return step < 0 ? 0 : step >= STEPS ? STEPS - 1 : step
}

const largest = new Int32Array(MOST_LOCATORS)

/** The size of the n-th largest result before a chunk. */
function locatedFrom({ session, resultTokens, placeOf }: SessionShape, to: number, lines: number): Tokens {
  const most = Math.min(lines, MOST_LOCATORS)
  if (most === 0) return NEVER
  let known = 0
  for (let c = 0; c < to && c < session.chunks.count; c++) {
    const tokens = resultTokens[c] as number
    if (tokens === 0 || (c > 0 && placeOf[c] === placeOf[c - 1])) continue
    if (known === most && tokens <= (largest[most - 1] as number)) continue
    let at = known < most ? known++ : most - 1
    while (at > 0 && (largest[at - 1] as number) < tokens) {
      largest[at] = largest[at - 1] as number
      at--
    }
    largest[at] = tokens
  }
  return known === 0 ? NEVER : (largest[known - 1] as number)
}
