import { type Wanted, type WantedChunk, wantedBy, withinRoom } from '../../core/cold/choose-recovery'
import { recoveredText } from '../../core/cold/place-back'
import type { ContentMessage } from '../../core/history/thinking'
import type { Policy } from '../../core/policy/policy'
import type { Tokens } from '../../core/units/units'
import type { ColdChunk } from '../../engine/cold/cold-store'
import { logRecovery } from '../../engine/cold/log-recovery'
import { ANY_CHUNK, type ColdFinder } from '../../engine/cold/search-cold'
import { type ContextLog, NO_LOG } from '../../engine/logs/log-ports'
import { type PromptLikeness, promptLikeness } from '../../engine/relevance/prompt-likeness'
import type { Embedding } from '../../engine/relevance/score-context'
import { contextMessage, promptOf } from '../context-message'
import type { LiveCold, LiveParts } from '../live-parts'
import type { Recovered } from './cold-memory'
import { SUMMARISED_REASON } from './keep-copies'

/** Chunks that fit a prompt best and are examined; and with an embedder, the newest besides. */
const MOST_CANDIDATES = 200
/** What comes back for one prompt at most: behind the first few there is hardly ever what was asked for. */
const MOST_RECOVERED = 5

/**
 * Share of the room that is for what a summary speaks for: most of a conversation is like what is asked in it, and would
 * fill the context again that was just compacted.
 */
const SUMMARISED_SHARE = 0.25

export type AutoRecoverPorts = {
  readonly library: Pick<ColdFinder, 'search'>
  readonly log: ContextLog
  readonly sizeOf: (text: string) => number
  /** Says how alike texts are, as it does when chunks are scored; null: the search itself does. */
  readonly embedding: Embedding | null
  /** Texts go to a service without what must not leave the machine. */
  readonly mask: (text: string) => string
}

export type AutoRecoverRequest = {
  readonly session: string
  readonly prompt: string
  /** Tokens that may be added to the context. */
  readonly room: number
  /** Whether a chunk is in the context already. */
  readonly isHeld: (chunk: ColdChunk) => boolean
  readonly policy: Pick<Policy, 'relevance' | 'coldStorage'>
  readonly signal?: AbortSignal
}

/** A chunk that belongs back into the context, as the text of a user-role note. */
type AutoRecovered = {
  readonly chunk: ColdChunk
  readonly text: string
  readonly score: number
  /** Of the note. */
  readonly tokens: Tokens
}

export type AutoRecovery = {
  /** Most relevant first. */
  readonly recovered: readonly AutoRecovered[]
  /** Relevant chunks for which there was no room. */
  readonly tooLarge: number
  /** See `PromptLikeness.by`; null when there was nothing to compare. */
  readonly likenessBy: string | null
  /** What went wrong with the embedder. */
  readonly notes: readonly string[]
  /** To be called when the context holds the notes: logs it. Answers what went wrong with the log. */
  readonly settled: () => Promise<readonly string[]>
}

/**
 * Finds what the present prompt needs of what its session had dropped, as far as the room goes. Putting the notes
 * into the context is left to the caller, who then logs it.
 */
export async function autoRecover(
  ports: AutoRecoverPorts,
  { session, prompt, room, isHeld, policy, signal }: AutoRecoverRequest,
): Promise<AutoRecovery> {
  const { library, log, sizeOf, embedding } = ports
  if (!policy.coldStorage.enabled || room <= 0) return NOTHING
  const filter = { ...ANY_CHUNK, session }
  const { found: byWords } = await library.search(prompt, filter, MOST_CANDIDATES)
  // What means the same in other words shares none with the prompt.
  const newest = embedding === null ? [] : (await library.search(null, filter, MOST_CANDIDATES)).found
  // What was dropped twice, is there twice.
  const seen = new Set<string>()
  const candidates = [...byWords, ...newest].flatMap(({ chunk, rank }) => {
    if (seen.has(chunk.content)) return []
    seen.add(chunk.content)
    return [{ chunk, content: chunk.content, rank: rank ?? 0 }]
  })
  if (candidates.length === 0) return NOTHING
  const likeness = await likenessOf(candidates, prompt, ports, signal)
  const wanted = wantedBy({ candidates, similarity: likeness.similarity, policy })
  // Most candidates do not come back: only what may is written as a note and sized.
  const away = wanted
    .filter(({ chunk }) => !isHeld(chunk.chunk))
    .slice(0, MOST_RECOVERED)
    .map(({ chunk: { chunk }, score }) => asNote({ chunk, score }, sizeOf))
  const isSpokenFor = ({ chunk }: (typeof away)[number]) => chunk.chunk.reason === SUMMARISED_REASON
  const summarised = withinRoom(away.filter(isSpokenFor), Math.floor(room * SUMMARISED_SHARE))
  const allowed = new Set(summarised.chosen)
  const choice = withinRoom(
    away.filter((one) => !isSpokenFor(one) || allowed.has(one)),
    room,
  )
  const notes = likeness.note === null ? [] : [likeness.note]
  const recovered = choice.chosen.map(({ chunk, score, tokens }) => ({
    chunk: chunk.chunk,
    text: chunk.text,
    score,
    tokens,
  }))
  return {
    recovered,
    tooLarge: choice.tooLarge.length + summarised.tooLarge.length,
    likenessBy: likeness.by,
    notes,
    settled: () => logAll(log, recovered, prompt),
  }
}

const NOTHING: AutoRecovery = {
  ...{ recovered: [], tooLarge: 0, likenessBy: null, notes: [] },
  settled: async () => [],
}

async function logAll(
  log: ContextLog,
  recovered: readonly AutoRecovered[],
  query: string,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { chunk, score } of recovered) {
    const problem = await logRecovery(log, chunk, { trigger: 'relevance', query, score }, 'context')
    if (problem !== null) problems.push(problem)
  }
  return problems
}

/** How the search of cold storage says how alike a chunk and a prompt are, as logs and receipts give it. */
const BY_PASSAGES = 'passages'

/** By the embedder where there is one and it answers, else as the search has them. */
async function likenessOf(
  candidates: readonly { readonly content: string; readonly rank: number }[],
  prompt: string,
  { embedding, mask }: Pick<AutoRecoverPorts, 'embedding' | 'mask'>,
  signal: AbortSignal | undefined,
): Promise<PromptLikeness> {
  const similarity = Float64Array.from(candidates, ({ rank }) => rank)
  if (embedding === null) return { similarity, by: BY_PASSAGES, note: null }
  const texts = candidates.map(({ content }) => content)
  const own = { by: BY_PASSAGES, likeness: () => ({ similarity }) }
  return promptLikeness(own, texts, prompt, { ...embedding, mask, signal })
}

/** What counts against the room is the note, not what was there before. */
function asNote(
  { chunk, score }: WantedChunk<ColdChunk>,
  sizeOf: (text: string) => number,
): Wanted<{ readonly chunk: ColdChunk; readonly text: string }> {
  const text = recoveredText(chunk)
  return { chunk: { chunk, text }, score, tokens: sizeOf(text) }
}

/** What came back into a live context by itself. */
type Recalled = {
  readonly recovered: readonly Recovered[]
  readonly warnings: readonly string[]
}

const NOTHING_RECALLED: Recalled = { recovered: [], warnings: [] }

/** What a message takes besides its text. Tokens. */
const FRAME = 8

/**
 * Brings back what the prompt that comes in needs of what was dropped, as far as there is room, and logs it.
 * @param room tokens that may be added
 */
export async function recallForPrompt<M extends ContentMessage>(
  parts: LiveParts<M>,
  cold: LiveCold,
  incoming: readonly M[],
  room: number,
  signal?: AbortSignal,
): Promise<Recalled> {
  const { agent, form, policy, gauge, summary } = parts
  const prompt = promptOf(form, [], incoming)
  if (prompt === '' || prompt === cold.asked || !policy.coldStorage.enabled) return NOTHING_RECALLED
  cold.asked = prompt
  const held = await agent.held()
  let inContext: ReadonlySet<string> | null = null
  const textsOf = () =>
    new Set(held.parts().map((message, index) => contextMessage(form, message, index).text))
  // Most questions find nothing, and then the whole conversation need not be read.
  const isHeld = ({ content }: ColdChunk) => {
    inContext ??= textsOf()
    return inContext.has(content)
  }
  const found = await autoRecover(
    {
      library: cold.library,
      log: agent.log ?? NO_LOG,
      sizeOf: (text) => summary.sizeOf(text) + FRAME,
      embedding: cold.embedding,
      mask: summary.mask,
    },
    { session: agent.session, prompt, room, isHeld, policy, signal },
  )
  if (found.recovered.length === 0) return { recovered: [], warnings: found.notes }
  try {
    await agent.setContext([
      ...(await agent.getContext()),
      ...found.recovered.map(({ text }) => form.fromText(text)),
    ])
  } catch (error) {
    // The same question asks for it again.
    cold.asked = ''
    throw error
  }
  gauge.forget()
  for (const { chunk } of found.recovered) cold.cameBack.add(chunk.chunkId)
  return { recovered: found.recovered, warnings: [...found.notes, ...(await found.settled())] }
}
