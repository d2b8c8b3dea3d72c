import { DIGEST_SHARES } from '../../summary/digest'
import { MOST_LOCATORS } from '../../summary/digest-facts'
import { commonFrom, worthOfUse } from '../../summary/identifier-ranking'
import type { Tokens } from '../../units/units'
import { NEVER } from '../replay-session'
import { RULE_NEED, type SessionShape } from './session-shape'

/** Shares that are prose: what spans their sentences happen to hold is left out, so that the count is a lower bound. */
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

/** By span: the step of its worth, from 1; 0: it is no candidate. */
let steps = new Uint16Array(0)
const taken = new Float64Array(STEPS)

/**
 * Marks what our digest of a part would hold: its spans by the digest's own ranking, the files that calls were about and
 * rules by their own shares, newest first. Answers from how many tokens on it names results with where to read them again.
 * @param held by span; it gets `generation` for what is held
 */
export function digestHolds(
  shape: SessionShape,
  { to, call, tokens, among }: Digested,
  held: Int32Array,
  generation: number,
): Tokens {
  const { session, spanWorth, writtenFirst } = shape
  const { spans, chunks } = session
  const { offset, holder } = spans
  if (steps.length < spans.count) steps = new Uint16Array(spans.count)
  taken.fill(0)
  const common = commonFrom(shape.placeOf[Math.max(0, to - 1)] ?? 0)
  let rules = tokens * DIGEST_SHARES.constraints
  const files = among === null ? filesHeld(shape, to, tokens * DIGEST_SHARES.files, held, generation) : 0
  const count = among === null ? spans.count : among.count
  for (let i = count - 1; i >= 0; i--) {
    const s = among === null ? i : (among.spans[i] as number)
    const from = offset[s] as number
    let end = offset[s + 1] as number
    steps[s] = 0
    if (from === end || (holder[from] as number) >= to) continue
    if (spans.kind[s] === RULE_NEED) {
      const cost = (spans.tokens[s] as number) + 1
      if (cost <= rules) [rules, held[s]] = [rules - cost, generation]
      continue
    }
    const fixed = spanWorth[s] as number
    if (fixed === 0 || held[s] === generation) continue
    while ((holder[end - 1] as number) >= to) end--
    const callsAgo = call - (chunks.born[holder[end - 1] as number] as number)
    const seen = end - from
    const worth =
      fixed * (seen > common ? 0.5 : 1) * worthOfUse(seen, (writtenFirst[s] as number) < to, callsAgo)
    const step = stepOf(worth)
    steps[s] = step + 1
    taken[step] = (taken[step] as number) + (spans.tokens[s] as number) + 1
  }
  let left =
    tokens * (1 - PROSE - DIGEST_SHARES.recovery) - (tokens * DIGEST_SHARES.constraints - rules) - files
  let step = STEPS - 1
  while (step > 0 && (taken[step] as number) <= left) left -= taken[step--] as number
  for (let i = 0; i < count; i++) {
    const s = among === null ? i : (among.spans[i] as number)
    const own = (steps[s] as number) - 1
    if (own > step) held[s] = generation
    else if (own === step && own >= 0 && (spans.tokens[s] as number) < left) {
      left -= (spans.tokens[s] as number) + 1
      held[s] = generation
    }
  }
  if (among !== null) return NEVER
  return locatedFrom(shape, to, Math.floor((tokens * DIGEST_SHARES.recovery) / LOCATOR_LINE))
}

/** Marks the files that calls before a chunk were about, those of the latest calls first; answers what they take. */
function filesHeld(
  { session, fileCalls }: SessionShape,
  to: number,
  room: Tokens,
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
