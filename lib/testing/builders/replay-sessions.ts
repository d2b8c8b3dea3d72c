import { seededChance } from '../../core/findings/effect/seeded-chance'
import {
  CHUNK_FLAGS,
  DIGEST_LINES,
  NEED_KINDS,
  NEVER,
  REPLAY_KINDS,
  REPLAY_VERSION,
  type ReplayDigestLines,
  type ReplaySession,
} from '../../core/replay/replay-session'
import { SHORT_FIXED } from './short-path'

/** What a made-up session is like. */
export type MadeSession = {
  readonly chunks?: number
  /** Tokens that a tool returns in the middle. */
  readonly resultTokens?: number
  readonly window?: number
  readonly model?: string
  /** Sources that a need has at most. */
  readonly mostSources?: number
  /** Share of calls before which the user pauses for longer than the cache lives. */
  readonly pauses?: number
  readonly owner?: string
  readonly startedAt?: number
}

type Draft = {
  kind: number
  tokens: number
  born: number
  group: number
  block: number
  turn: number
  entry: number
  superseded: number
}

const kindOf = (name: (typeof REPLAY_KINDS)[number]) => REPLAY_KINDS.indexOf(name)

/**
 * A session of so many chunks that a seed always makes the same: turns of a user, calls of tools with results in blocks,
 * needs of what was there before (mostly of what came lately), spans that nothing needs, and times with pauses.
 */
export function madeSession(seed: number | string, made: MadeSession = {}): ReplaySession {
  const chance = seededChance(`session ${seed}`)
  const { chunks: want = 360, resultTokens = 600, window = 200_000, pauses = 0.03 } = made
  const drafts: Draft[] = []
  const times: number[] = []
  let [call, entry, group, turn, now] = [0, 0, 0, 0, made.startedAt ?? 1_790_000_000_000]
  const add = (kind: number, tokens: number, over: Partial<Draft> = {}) =>
    drafts.push({
      ...{ kind, tokens: Math.max(1, Math.round(tokens)), born: call, group: -1, block: 0, turn, entry },
      superseded: NEVER,
      ...over,
    })
  while (drafts.length < want) {
    turn += 1
    add(kindOf('user'), 20 + chance() * 200)
    entry += 1
    const calls = 1 + Math.floor(chance() * 12)
    for (let i = 0; i < calls && drafts.length < want; i++) {
      times.push(now)
      now += i === 0 && chance() < pauses * 6 ? 900_000 : 4_000 + chance() * 40_000
      call += 1
      add(kindOf('prose'), 10 + chance() * 80)
      if (i === calls - 1) {
        entry += 1
        break
      }
      group += 1
      add(kindOf('call'), 20 + (chance() < 0.2 ? chance() * 1_500 : chance() * 80), { group })
      entry += 1
      const blocks = 1 + Math.floor(chance() * 3)
      for (let block = 0; block < blocks; block++)
        add(kindOf('result'), (resultTokens / 2) * (0.2 + 2 * chance() ** 2), { group, block })
      entry += 1
    }
  }
  // The newest chunks come in with a last call.
  times.push(now)
  return sessionOf(seed, made, drafts, times, chance, window)
}

/** What users asked and every other answer, as lines of a digest that hold no span. */
function linesOf(drafts: readonly Draft[]): ReplayDigestLines {
  type Line = { line: (typeof DIGEST_LINES)[number]; chunk: number; tokens: number }
  const lines = drafts.flatMap(({ kind, tokens }, chunk): Line[] =>
    kind === kindOf('user')
      ? (['newest', 'ask'] as const).map((line) => ({ line, chunk, tokens }))
      : kind === kindOf('prose') && chunk % 2 === 0
        ? [{ line: 'decision', chunk, tokens }]
        : [],
  )
  return {
    count: lines.length,
    kind: Uint8Array.from(lines, ({ line }) => DIGEST_LINES.indexOf(line)),
    chunk: Int32Array.from(lines, ({ chunk }) => chunk),
    tokens: Int32Array.from(lines, ({ tokens }) => tokens),
    offset: new Int32Array(lines.length + 1),
    span: new Int32Array(0),
  }
}

function sessionOf(
  seed: number | string,
  made: MadeSession,
  drafts: readonly Draft[],
  times: readonly number[],
  chance: () => number,
  window: number,
): ReplaySession {
  const count = drafts.length
  const ints = (of: (draft: Draft, i: number) => number) => Int32Array.from(drafts, of)
  for (let c = 0; c < count; c++)
    if (drafts[c]?.kind === kindOf('result') && chance() < 0.1)
      (drafts[c] as Draft).superseded = (drafts[c]?.born ?? 0) + 1 + Math.floor(chance() * 30)
  const calls = times.length
  const needs = needsOf(drafts, calls, chance, made.mostSources ?? 4)
  // Every third call is about one of some files.
  const fileOf = (group: number) =>
    group % 3 === 0 && needs.needs.count > 0 ? (group / 3) % Math.min(40, needs.needs.count) : -1
  const id = `made-${seed}`
  return {
    version: REPLAY_VERSION,
    transcriptId: id,
    storeId: 'made',
    sessionId: id,
    runtime: 'pi',
    agent: null,
    owner:
      made.owner ??
      `owner-${String(seed).length}-${[...String(seed)].reduce((a, s) => a + s.charCodeAt(0), 0) % 7}`,
    startedAt: times[0] ?? null,
    fixed: 6_000,
    sizeErrorPct: null,
    tools: ['read', 'bash', 'write'],
    models: [{ provider: 'anthropic', model: made.model ?? 'claude-sonnet-4-5' }],
    chunks: {
      count,
      tokens: ints(({ tokens }) => tokens),
      size: ints(({ tokens }) => Math.ceil(tokens * 0.8)),
      cleared: ints(({ kind, tokens }) => (kind === kindOf('call') ? Math.min(tokens, 40) : tokens)),
      born: ints(({ born }) => born),
      kind: Uint8Array.from(drafts, ({ kind }) => kind),
      group: ints(({ group }) => group),
      block: ints(({ block }) => block),
      tool: ints(({ group }) => (group < 0 ? -1 : group % 3)),
      turn: ints(({ turn }) => turn),
      flags: Uint8Array.from(drafts, ({ kind, group }) =>
        kind === kindOf('result') && group % 4 !== 0 ? CHUNK_FLAGS.locator : 0,
      ),
      superseded: ints(({ superseded }) => superseded),
      repeated: ints(() => NEVER),
      file: ints(({ kind, group }) =>
        kind === kindOf('call') || kind === kindOf('result') ? fileOf(group) : -1,
      ),
      entry: ints(({ entry }) => entry),
      from: ints(({ block }) => block * 1_600),
      to: ints(({ block, tokens }) => block * 1_600 + tokens * 4),
    },
    lines: linesOf(drafts),
    calls: {
      count: calls,
      at: Float64Array.from(times),
      prompt: new Int32Array(calls).fill(-1),
      cacheRead: new Int32Array(calls).fill(-1),
      cacheWrite: new Int32Array(calls).fill(-1),
      output: new Int32Array(calls).fill(200),
      window: new Int32Array(calls).fill(window),
      believed: new Int32Array(calls).fill(-1),
      model: new Int32Array(calls),
      entry: Int32Array.from(times, (_, i) => i * 2),
    },
    ...needs,
    likeness: { offset: new Int32Array(0), chunk: new Int32Array(0), value: new Uint8Array(0) },
    cacheLife: 300_000,
    compactions: [],
    excluded: { quoted: 0, reread: 0, encrypted: 0, repeated: 0, unseen: 0, refused: 0 },
    writtenAgain: { shown: [], unseen: [] },
    spanHashes: new Uint32Array(),
    fit: { matched: 0, compared: 0, money: null, moneyByTimes: null, rewrites: null, coldStarts: [] },
    passedOver: 0,
  }
}

/** About 3.6 needs a chunk, their ages drawn with a long tail as in real sessions. */
function needsOf(
  drafts: readonly Draft[],
  calls: number,
  chance: () => number,
  mostSources: number,
): Pick<ReplaySession, 'needs' | 'spans'> {
  const endOf = new Int32Array(calls)
  for (let call = 0, c = 0; call < calls; call++) {
    while (c < drafts.length && (drafts[c]?.born ?? 0) <= call) c++
    endOf[call] = c
  }
  const found: { at: number; kind: number; sources: number[] }[] = []
  for (let call = 1; call < calls; call++) {
    const end = endOf[call] ?? 0
    for (let n = Math.floor(chance() * 20); n > 0; n--) {
      const sources = new Set<number>()
      const copies = 1 + Math.floor(chance() ** 2 * mostSources)
      for (let i = 0; i < copies; i++) sources.add(Math.max(0, end - 1 - Math.floor(end * chance() ** 4)))
      const kind = chance() < 0.03 ? NEED_KINDS.indexOf('copy') : Math.floor(chance() * 10)
      found.push({ at: call, kind, sources: [...sources].sort((a, b) => a - b) })
    }
  }
  // As many again that nothing needs.
  const spanCount = found.length * 2
  const offset = new Int32Array(spanCount + 1)
  const holder: number[] = []
  for (let s = 0; s < spanCount; s++) {
    holder.push(...(found[s]?.sources ?? [Math.floor(chance() * drafts.length)]))
    offset[s + 1] = holder.length
  }
  const needOffset = new Int32Array(found.length + 1)
  for (let n = 0; n < found.length; n++)
    needOffset[n + 1] = (needOffset[n] ?? 0) + (found[n]?.sources.length ?? 0)
  return {
    needs: {
      count: found.length,
      at: Int32Array.from(found, ({ at }) => at),
      weight: Float32Array.from(found, () => 0.1 + chance()),
      kind: Uint8Array.from(found, ({ kind }) => kind),
      span: Int32Array.from(found, (_, n) => n),
      offset: needOffset,
      source: Int32Array.from(found.flatMap(({ sources }) => sources)),
    },
    spans: {
      count: spanCount,
      texts: found.map((_, n) => `src/part-${n}.ts`),
      kind: Uint8Array.from({ length: spanCount }, (_, s) => found[s]?.kind ?? Math.floor(chance() * 10)),
      tokens: Int32Array.from({ length: spanCount }, () => 2 + Math.floor(chance() * 12)),
      offset,
      holder: Int32Array.from(holder),
    },
  }
}

/**
 * A session from a path in short (`shortPath`: `u`, `a`, `a:x`, `r:x`), a chunk each; `|` is a call, made ten seconds
 * after the one before, or so many seconds as are behind it (`|900`).
 */
export function sessionOfPath(text: string): ReplaySession {
  const groups = new Map<string, number>()
  const drafts: Draft[] = []
  const times = [0]
  for (const word of text.split(' ')) {
    if (word.startsWith('|')) {
      times.push((times.at(-1) ?? 0) + Number(word.slice(1) || 10) * 1_000)
      continue
    }
    const [what = '', size = '10'] = word.split('=')
    const [kind = '', id = ''] = what.split(':')
    if (id !== '' && !groups.has(id)) groups.set(id, groups.size)
    const name = kind === 'u' ? 'user' : kind === 'r' ? 'result' : id === '' ? 'prose' : 'call'
    drafts.push({
      ...{ kind: kindOf(name), tokens: Number(size), born: times.length - 1, group: groups.get(id) ?? -1 },
      ...{ block: 0, entry: drafts.length, superseded: NEVER },
      turn: drafts.filter((one) => one.kind === kindOf('user')).length + (kind === 'u' ? 1 : 0),
    })
  }
  const session = sessionOf(text, {}, drafts, times, () => 1, SHORT_WINDOW)
  return {
    ...session,
    fixed: SHORT_FIXED,
    chunks: { ...session.chunks, size: session.chunks.tokens, file: session.chunks.file.fill(-1) },
  }
}

/** As `shortPlanInput` has it. */
const SHORT_WINDOW = 1000
