import { SPAN_CLASSES, SPAN_WEIGHTS } from '../../relevance/spans'
import { NEVER, type ReplaySession } from '../replay-session'
import { KIND, type SessionShape } from './session-shape'

/** What the ranking of a digest asks of the spans of a session, worked out once. */
export type SpanFacts = {
  /** By span: the first chunk that holds it, and the first one of those that the model wrote; `NEVER`. */
  readonly firstHolder: Int32Array
  readonly writtenFirst: Int32Array
  /** By span: class weight ÷ √tokens, the part of the ranking that no use changes; 0: in none. */
  readonly worth: Float32Array
  /** Spans that have a worth, by their first holders: those of a part of the session are at the beginning. */
  readonly ranked: Int32Array
}

const known = new WeakMap<SessionShape, SpanFacts>()

export function spanFacts(shape: SessionShape): SpanFacts {
  const before = known.get(shape)
  if (before !== undefined) return before
  const { session } = shape
  const { count } = session.spans
  const firstHolder = new Int32Array(count).fill(NEVER)
  const writtenFirst = new Int32Array(count).fill(NEVER)
  const worth = spanWorth(session)
  for (let s = 0; s < count; s++) noteHolders(session, s, firstHolder, writtenFirst)
  const spans = new Int32Array(count).map((_, s) => s)
  const ranked = spans.filter((s) => worth[s] !== 0 && firstHolder[s] !== NEVER)
  const facts: SpanFacts = {
    firstHolder,
    writtenFirst,
    worth,
    ranked: ranked.sort((a, b) => (firstHolder[a] as number) - (firstHolder[b] as number) || a - b),
  }
  known.set(shape, facts)
  return facts
}

function noteHolders(
  { spans: { offset, holder }, chunks }: ReplaySession,
  span: number,
  firstHolder: Int32Array,
  writtenFirst: Int32Array,
): void {
  const [from, to] = [offset[span] as number, offset[span + 1] as number]
  if (from < to) firstHolder[span] = holder[from] as number
  for (let i = from; i < to; i++) {
    const chunk = holder[i] as number
    const kind = chunks.kind[chunk]
    if (kind !== KIND.prose && kind !== KIND.call) continue
    writtenFirst[span] = chunk
    return
  }
}

function spanWorth({ spans }: ReplaySession): Float32Array {
  const worth = new Float32Array(spans.count)
  for (let s = 0; s < spans.count; s++) {
    const kind = SPAN_CLASSES[spans.kind[s] as number]
    if (kind !== undefined) worth[s] = SPAN_WEIGHTS[kind] / Math.sqrt((spans.tokens[s] as number) + 1)
  }
  return worth
}

/** The spans of each chunk: `span[offset[c]]` to `span[offset[c + 1] - 1]`. */
type ChunkSpans = { readonly offset: Int32Array; readonly span: Int32Array }

const spansBy = new WeakMap<SessionShape, ChunkSpans>()

/** The spans of a session by the chunks that hold them. */
export function chunkSpans(shape: SessionShape): ChunkSpans {
  const before = spansBy.get(shape)
  if (before !== undefined) return before
  const { spans, chunks } = shape.session
  const offset = new Int32Array(chunks.count + 1)
  const total = spans.offset[spans.count] ?? 0
  for (let i = 0; i < total; i++) {
    const at = (spans.holder[i] as number) + 1
    offset[at] = (offset[at] as number) + 1
  }
  for (let c = 0; c < chunks.count; c++) offset[c + 1] = (offset[c + 1] as number) + (offset[c] as number)
  const next = offset.slice()
  const span = new Int32Array(total)
  for (let s = 0; s < spans.count; s++)
    for (let i = spans.offset[s] as number; i < (spans.offset[s + 1] as number); i++) {
      const holder = spans.holder[i] as number
      const at = next[holder] as number
      span[at] = s
      next[holder] = at + 1
    }
  const found = { offset, span }
  spansBy.set(shape, found)
  return found
}
