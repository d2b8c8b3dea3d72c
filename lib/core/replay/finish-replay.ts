import { credentialRanges } from '../redaction/secrets'
import { estimateUnits } from '../tokens/estimate'
import { type Frame, hasFailed } from '../tokens/frame'
import { FIXED_PRIOR, priorFor } from '../tokens/priors'
import type { EntryFact } from '../transcript/entry'
import { fitCache } from './cache-fit'
import { cacheLifeOf } from './cache-life'
import type { DigestLines } from './digest-lines'
import type { GatheredChunks } from './needs/gathered-chunks'
import type { NeedList } from './needs/need-list'
import { PRIOR_PRECISION } from './needs/need-precision'
import { NEED_WEIGHTS } from './needs/need-weights'
import {
  NEED_KINDS,
  REPLAY_VERSION,
  type ReplayCalls,
  type ReplayCompaction,
  type ReplayDigestLines,
  type ReplayLikeness,
  type ReplayNeeds,
  type ReplaySession,
  type ReplaySpans,
  type WrittenAgain,
} from './replay-session'
import type { RecordedBoundary, ReplaySource } from './replay-source'
import { fitSizes, type SizedPrompt, type SizeFit } from './size-fit'
import { lastPart } from './spans/held-spans'
import { sortedHashes, spanHash } from './spans/span-hash'
import type { SpanHolders } from './spans/span-holders'

/** A call with what was before it. */
export type RecordedCall = {
  readonly fact: EntryFact
  readonly frame: Frame | null
  /** Chunks before this number were there. */
  readonly end: number
  /** The last compaction before it; -1: none. */
  readonly boundary: number
}

/** All that was gathered of a session. */
export type GatheredReplay = {
  readonly source: ReplaySource
  readonly chunks: GatheredChunks
  readonly holders: SpanHolders
  readonly needs: NeedList
  readonly calls: readonly RecordedCall[]
  readonly boundaries: readonly RecordedBoundary[]
  readonly tools: readonly string[]
  readonly lines: DigestLines
  readonly likeness: ReplayLikeness
  readonly writtenAgain: WrittenAgain
}

/** What more than this share of the messages have counts half. */
const COMMON_SHARE = 0.3
/** In so few messages it is no sign of anything. */
const FEW = 5
/** Spans besides those that needs are of: a digest holds no more than so many anyway. */
const MOST_COMPETING = 1_500
/** Distinct spans whose hashes are kept; of more, those with the smallest. */
const MOST_HASHES = 65_536

/** Puts what was gathered into the form that replay works on. */
export function finishReplay(gathered: GatheredReplay): ReplaySession {
  const { source, chunks, holders, calls, boundaries, tools } = gathered
  const size = fitSizes(...promptsOf(gathered))
  const isSecret = secretSpans(holders)
  const { needs, excluded } = gathered.needs.finish((span, kind) => {
    if (isSecret(span)) return 0
    const groups = holders.groups(span)
    const common = groups > FEW && groups > COMMON_SHARE * chunks.groups ? 0.5 : 1
    return common * (kind === 'rule' ? 1 : PRIOR_PRECISION)
  })
  const { spans, numbered, numberOf } = spansOfSession(needs, gathered, size.slope)
  const usages = calls.map(({ fact }) => fact.usage ?? null)
  const cacheLife = cacheLifeOf(usages)
  const models = modelsOf(calls)
  const columns = callColumns(calls, models)
  return {
    version: REPLAY_VERSION,
    transcriptId: source.transcriptId,
    storeId: source.storeId,
    sessionId: source.sessionId,
    runtime: source.runtime,
    agent: source.agent,
    owner: source.owner,
    startedAt: source.startedAt,
    fixed: size.fixed,
    sizeErrorPct: size.errorPct,
    tools,
    models,
    chunks: chunks.finish(
      (units, thinking) => size.slope * (units + (size.thinking ? thinking : 0)),
      numberOf,
    ),
    calls: columns,
    needs: numbered,
    spans,
    lines: linesOf(gathered, spans, size.slope),
    likeness: gathered.likeness,
    cacheLife,
    compactions: boundaries.map((boundary) => compactionOf(boundary, calls.length, spans, size)),
    excluded: {
      quoted: excluded.quoted,
      reread: excluded.reread,
      encrypted: excluded.encrypted,
      repeated: excluded.repeated,
      unseen: excluded.unseen,
      refused: 0,
    },
    writtenAgain: gathered.writtenAgain,
    spanHashes: hashesOf(holders),
    fit: fitCache(
      calls.map(({ fact, frame, boundary }) => ({ usage: fact.usage ?? null, frame, segment: boundary })),
      { fixed: size.fixed, life: cacheLife },
    ),
    passedOver: source.passedOver,
  }
}

/** Hashes of the spans of a session, which say how common they are over sessions. */
function hashesOf(holders: SpanHolders): Uint32Array {
  const hashes = new Uint32Array(holders.texts.length)
  let count = 0
  for (const [span, text] of holders.texts.entries()) {
    const kind = holders.kind(span)
    if (kind !== 'copy' && kind !== 'rule') hashes[count++] = spanHash(text)
  }
  return sortedHashes(hashes.subarray(0, count), MOST_HASHES)
}

/** Texts of needs are kept and shown: one that holds a credential is no need. */
function secretSpans({ texts }: SpanHolders): (span: number) => boolean {
  const known = new Map<number, boolean>()
  return (span) => {
    const before = known.get(span)
    if (before !== undefined) return before
    const found = credentialRanges(texts[span] ?? '').length > 0
    known.set(span, found)
    return found
  }
}

/** What our count made of each prompt that was reported, and what to go by without. */
function promptsOf({
  source,
  chunks,
  calls,
  boundaries,
}: GatheredReplay): [SizedPrompt[], { fixed: number; slope: number }] {
  const [units, thinking] = [new Float64Array(chunks.length + 1), new Float64Array(chunks.length + 1)]
  for (let i = 0; i < chunks.length; i++) {
    units[i + 1] = (units[i] as number) + chunks.units(i)
    thinking[i + 1] = (thinking[i] as number) + chunks.thinking(i)
  }
  const prompts = calls.flatMap(({ frame, end, boundary }): SizedPrompt[] => {
    const prompt = promptOf(frame)
    if (prompt < 0) return []
    const last = boundaries[boundary]
    const from = Math.min(end, last?.firstKept ?? 0)
    let seen = (units[end] as number) - (units[from] as number) + (last?.summaryUnits ?? 0)
    for (const chunk of last?.kept ?? []) seen += chunks.units(chunk)
    // What a provider keeps encrypted has no size that we know.
    if (last?.encrypted) return []
    return [{ units: seen, thinking: (thinking[end] as number) - (thinking[from] as number), prompt }]
  })
  const { provider = null, model = null } = calls.at(-1)?.frame ?? {}
  return [prompts, { fixed: FIXED_PRIOR[source.runtime], slope: priorFor(provider, model).factor }]
}

/** The prompt of a call as its provider counted it; -1: it did not. */
function promptOf(frame: Frame | null): number {
  if (frame === null || hasFailed(frame)) return -1
  return frame.seenTokens ?? (frame.total.basis === 'measured' ? frame.total.value : -1)
}

/**
 * The spans of a session, numbered anew: those that needs are of in order of first need, then the files that calls were
 * about and what else a digest may hold.
 */
function spansOfSession(
  needs: ReplayNeeds,
  { holders, chunks: gathered }: Pick<GatheredReplay, 'holders' | 'chunks'>,
  slope: number,
): {
  readonly spans: ReplaySpans
  readonly numbered: ReplayNeeds
  readonly numberOf: (span: number) => number
} {
  const numbers = new Map<number, number>()
  const span = Int32Array.from(needs.span, (old) => {
    const known = numbers.get(old)
    if (known !== undefined) return known
    numbers.set(old, numbers.size)
    return numbers.size - 1
  })
  const needed = [...numbers.keys()]
  const files = filesOf(gathered).filter((span) => !numbers.has(span))
  const taken = new Set([...needed, ...files])
  const used = [...taken, ...competing(taken, holders)]
  for (const [number, old] of used.entries()) numbers.set(old, number)
  const offset = new Int32Array(used.length + 1)
  const holder = used.flatMap((old, i) => {
    const chunks = holders.all(old)
    offset[i + 1] = (offset[i] as number) + chunks.length
    return chunks
  })
  const spans = {
    count: used.length,
    texts: needed.map((old) => holders.texts[old] ?? ''),
    kind: Uint8Array.from(used, (old) => NEED_KINDS.indexOf(holders.kind(old))),
    tokens: Int32Array.from(used, (old) =>
      Math.max(1, Math.round(slope * estimateUnits(holders.texts[old] ?? ''))),
    ),
    offset,
    holder: Int32Array.from(holder),
  }
  return { spans, numbered: { ...needs, span }, numberOf: (old) => numbers.get(old) ?? -1 }
}

/** The files that calls were about, each once. */
function filesOf(chunks: GatheredChunks): number[] {
  const files = new Set<number>()
  for (let chunk = 0; chunk < chunks.length; chunk++) files.add(chunks.file(chunk))
  files.delete(-1)
  return [...files]
}

/** The spans that are worth most in a digest, beside those that are taken anyway. */
function competing(taken: ReadonlySet<number>, holders: SpanHolders): number[] {
  const found: { readonly span: number; readonly worth: number }[] = []
  for (let span = 0; span < holders.texts.length; span++) {
    const kind = holders.kind(span)
    if (taken.has(span) || kind === 'copy' || kind === 'rule') continue
    const length = Math.sqrt(holders.texts[span]?.length ?? 1)
    const times = 1 + Math.log2(Math.max(1, holders.groups(span)))
    found.push({ span, worth: (NEED_WEIGHTS[kind] * times) / length })
  }
  return found
    .sort((a, b) => b.worth - a.worth || a.span - b.span)
    .slice(0, MOST_COMPETING)
    .map(({ span }) => span)
    .sort((a, b) => a - b)
}

function compactionOf(
  { before, firstKept, kept, summary, summaryUnits, encrypted, asked }: RecordedBoundary,
  calls: number,
  { texts, kind: kinds }: ReplaySpans,
  { slope }: SizeFit,
): ReplayCompaction {
  const isOnly = onlyNames({ texts, kind: kinds })
  const holds = texts.flatMap((text, i) => {
    const kind = NEED_KINDS[kinds[i] as number]
    if (summary === null || kind === undefined) return []
    return summary.holds({ text, kind }, isOnly) ? [i] : []
  })
  return {
    before: before === -1 ? calls : before,
    firstKept,
    kept: [...kept].sort((a, b) => a - b),
    summaryTokens: Math.round(slope * summaryUnits),
    holds,
    encrypted,
    asked,
  }
}

/** Whether a last part of a path is that of one path alone. */
function onlyNames({ texts, kind }: Pick<ReplaySpans, 'texts' | 'kind'>): (name: string) => boolean {
  const names = new Map<string, number>()
  for (const [i, text] of texts.entries())
    if (NEED_KINDS[kind[i] as number] === 'path')
      names.set(lastPart(text), (names.get(lastPart(text)) ?? 0) + 1)
  return (name) => names.get(name) === 1
}

/** What a digest takes over word for word, and which of the spans that needs are of it holds. */
function linesOf(
  { source, lines }: Pick<GatheredReplay, 'source' | 'lines'>,
  spans: ReplaySpans,
  slope: number,
): ReplayDigestLines {
  const { texts, kind: kinds, offset, holder } = spans
  const byChunk = new Map<number, { number: number; text: string; kind: (typeof NEED_KINDS)[number] }[]>()
  for (const [number, text] of texts.entries()) {
    const kind = NEED_KINDS[kinds[number] as number]
    if (kind === undefined) continue
    for (const chunk of holder.subarray(offset[number], offset[number + 1])) {
      const known = byChunk.get(chunk)
      if (known === undefined) byChunk.set(chunk, [{ number, text, kind }])
      else known.push({ number, text, kind })
    }
  }
  return lines.finish(source.cwd, slope, (chunk) => byChunk.get(chunk) ?? [], onlyNames(spans))
}

type Model = ReplaySession['models'][number]

function modelsOf(calls: readonly RecordedCall[]): Model[] {
  const models = new Map<string, Model>()
  for (const { frame } of calls) {
    const { provider = null, model = null } = frame ?? {}
    const key = JSON.stringify([provider, model])
    if (!models.has(key)) models.set(key, { provider, model })
  }
  return [...models.values()]
}

function callColumns(calls: readonly RecordedCall[], models: readonly Model[]): ReplayCalls {
  const numbers = (of: (call: RecordedCall) => number) => Int32Array.from(calls, of)
  return {
    count: calls.length,
    at: Float64Array.from(calls, ({ fact, frame }) => frame?.at ?? fact.at ?? Number.NaN),
    prompt: numbers(({ frame }) => promptOf(frame)),
    cacheRead: numbers(({ frame }) => frame?.cacheRead ?? -1),
    cacheWrite: numbers(({ frame }) => frame?.cacheWrite ?? -1),
    output: numbers(({ frame }) => (frame?.output.basis === 'measured' ? frame.output.value : -1)),
    window: numbers(({ frame }) => frame?.window.tokens ?? -1),
    believed: numbers(({ frame }) => frame?.window.believed?.tokens ?? -1),
    model: numbers(({ frame }) =>
      models.findIndex(
        ({ provider, model }) => provider === (frame?.provider ?? null) && model === (frame?.model ?? null),
      ),
    ),
    entry: numbers(({ fact }) => fact.seq),
  }
}
