import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { sha256 } from '../../adapters/write/sha256'
import { CONTENT_FORM } from '../../agent/content-form'
import { ContextManager } from '../../agent/context-manager'
import type { LiveAgent } from '../../agent/live-agent'
import type { ContextManagerOptions } from '../../agent/manager-options'
import { originalText } from '../../core/cold/original-text'
import { countMessage } from '../../core/history/count-message'
import type { ContentMessage } from '../../core/history/thinking'
import type { Policy } from '../../core/policy/policy'
import { estimateUnits } from '../../core/tokens/estimate'
import type { ColdStore } from '../../engine/cold/cold-store'
import { transientMemory } from '../../engine/knowledge/agent-memory'
import { EmbeddingCache } from '../../engine/relevance/embedding-cache'
import { SummaryChain } from '../../engine/summary/summary-chain'
import { MemoryDisk } from '../memory-disk'
import { soundSummary, standingClock } from '../scripted-summarizer'

/** Everything that an agent may give, each of which can fail whenever it is asked. */
export const FAILING_PORTS = [
  ...['tokensOf', 'countText', 'getTokenCount', 'clock', 'onStep', 'diagnose', 'plan', 'hooks', 'curate'],
  ...[
    'onFlush',
    'log',
    'memory',
    'cold.put',
    'cold.half',
    'cold.list',
    'embedder',
    'summariser',
    'setContext',
  ],
  ...['sessions', 'secrets', 'promptCache', 'recall', 'events', 'bootstrap'],
] as const

/** How a port fails. */
export type PortFailure = 'throws' | 'rejects' | 'nonsense'

/**
 * An agent of which every part can fail, as its builder may have made it.
 * @param fails asked at each call of a port: how it fails now, or null
 */
export function failingAgent(
  messages: readonly ContentMessage[],
  policy: Policy,
  window: number,
  fails: (port: string) => PortFailure | null,
) {
  const inner = fileColdStore(new MemoryDisk(), '/cold', () => 'j')
  const held = { messages: [...messages] as readonly ContentMessage[] }
  const clock = { at: Date.parse('2026-11-21T10:00:00Z') }
  const may = <T>(port: string, well: () => T): T => {
    const failure = fails(port)
    if (failure === null) return well()
    if (failure === 'rejects') return Promise.reject(new Error(`${port} rejected`)) as T
    if (failure === 'nonsense') return Number.NaN as T
    throw new Error(`${port} threw`)
  }
  const later = <T>(port: string, well: () => Promise<T>): Promise<T> => may(port, well)
  /** Ports of which only failures are asked: what they answer is trusted. */
  const orFails = async <T>(port: string, well: () => Promise<T>): Promise<T> => {
    if (fails(port) !== null) throw new Error(`${port} failed`)
    return well()
  }
  const cold: ColdStore = {
    root: '/cold',
    put: async (records) => {
      await orFails('cold.put', async () => undefined)
      if (fails('cold.half') === null) return inner.put(records)
      await inner.put(records.slice(0, Math.ceil(records.length / 2)))
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    },
    list: () => orFails('cold.list', () => inner.list()),
    remove: (chunks) => orFails('cold.list', () => inner.remove(chunks)),
    extend: (chunks, until) => inner.extend(chunks, until),
  }
  const memory = transientMemory()
  /** Messages of the transcript, as they were said. */
  const written: string[] = []
  let entryId = 0
  const agent: LiveAgent<ContentMessage> = {
    session: 's',
    form: CONTENT_FORM,
    clock: { now: () => may('clock', () => clock.at) },
    getContext: () => held.messages,
    setContext: async (next) => {
      await orFails('setContext', async () => undefined)
      held.messages = next
    },
    getTokenCount: () => may('getTokenCount', () => null),
    onStep: () => may('onStep', () => undefined),
    diagnose: () => may('diagnose', () => undefined),
    plan: () => may('plan', () => null),
    hooks: { run: () => later('hooks', async () => []) },
    curate: (context) => later('curate', async () => context.messages.slice(2)),
    onFlush: () => later('onFlush', async () => undefined),
    log: { add: () => later('log', async () => null), addAll: () => later('log', async () => null) },
    memory: {
      load: (s) => orFails('memory', () => memory.load(s)),
      save: (s, state) => orFails('memory', () => memory.save(s, state)),
      checkpoints: (s) => orFails('memory', () => memory.checkpoints(s)),
      addCheckpoint: (one) => orFails('memory', () => memory.addCheckpoint(one)),
      stepCheckpoints: (s) => orFails('memory', () => memory.stepCheckpoints(s)),
      addStepCheckpoint: (one) => orFails('memory', () => memory.addStepCheckpoint(one)),
    },
    cold,
    sessions: {
      open: () => orFails('sessions', async () => ({ isNew: true, messages: [] })),
      append: (_, entries) =>
        orFails('sessions', async () => {
          for (const entry of entries) if (entry.kind === 'message') written.push(entry.json)
          return entries.map(() => String(++entryId))
        }),
      note: () => orFails('sessions', async () => undefined),
    },
    onPhase: () => may('onStep', () => undefined),
    embedding: {
      cache: new EmbeddingCache(sha256),
      embedder: {
        id: 'test/embedder',
        deterministic: true,
        embed: (texts) =>
          later('embedder', async () => ({
            ok: true,
            vectors: texts.map((text) => Float32Array.from([text.length % 7, 1])),
          })),
      },
    },
    chain: new SummaryChain(
      [
        {
          name: 'test/model',
          summarize: () =>
            later('summariser', async () => ({ ok: true, text: soundSummary('berth'), usage: null })),
        },
      ],
      standingClock(),
    ),
    secrets: {
      mask: (text) => may('secrets', () => text),
      isSecret: () => may('secrets', () => false),
    },
  }
  const options: ContextManagerOptions<ContentMessage> = {
    policy,
    window,
    key: null,
    agent,
    tokensOf: (message) => may('tokensOf', () => countMessage(message)),
    countText: (text) => may('countText', () => estimateUnits(text)),
    promptCache: {
      snapshot: () => orFails('promptCache', async () => ({ files: [], daily: [], memory: '' })),
    },
    hooks: [() => may('bootstrap', () => undefined)],
    recall: {
      search: {
        refresh: () => orFails('recall', async () => ({ problems: [], notes: [] })),
        search: () => may('recall', () => []),
      },
      tasks: { section: () => orFails('recall', async () => '') },
      events: { note: () => orFails('events', async () => undefined) },
    },
  }
  /** Messages that are neither in the context nor, to the byte, in cold storage. */
  const lost = async (all: readonly ContentMessage[]): Promise<readonly ContentMessage[]> => {
    const kept = new Set((await inner.list()).chunks.flatMap((chunk) => chunk.messages ?? []))
    const here = new Set(held.messages.map(originalText))
    return all.filter((message) => !here.has(originalText(message)) && !kept.has(originalText(message)))
  }
  return { context: new ContextManager(options), held, clock, lost, inner, written }
}
