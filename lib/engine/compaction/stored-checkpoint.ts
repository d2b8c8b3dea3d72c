import type { SourceMessage } from '../../core/summary/source-message'
import type { EntryFact } from '../../core/transcript/entry'
import { reasonOf } from '../../core/words/reason-of'
import type { AgentMemory } from '../knowledge/agent-memory'
import { keyOfText } from '../knowledge/message-key'
import type { StoreReader } from '../read/ports'
import { type CheckpointText, newestCheckpoint, textOfCheckpoint } from './checkpoint-summary'
import type { PlanSource } from './plan-session'
import { readMessages } from './summary-material'

/** What agents remember of their sessions, as far as compacting a stored one asks for it. */
export type CheckpointMemory = Pick<AgentMemory, 'load' | 'checkpoints'>

export type StoredCheckpointText = {
  /** null when no agent has noted anything about this session as it is. */
  readonly covering: CheckpointText | null
  /** Memories that could not be read; a compaction goes on without them. */
  readonly notes: readonly string[]
}

export type CheckpointPorts = {
  readonly reader: StoreReader
  readonly memories?: readonly CheckpointMemory[]
}

/** A text that replaces a session up to one of its messages. */
type Candidate = Omit<CheckpointText, 'uptoSeq'> & {
  readonly key: string
  /** Where that message was in the agent's own conversation. */
  readonly index: number
  /** When it was written; null where it was not noted. */
  readonly at: number | null
}

/**
 * The checkpoint or rolling summary that an agent keeps of a stored session, and how far down its context it goes.
 * Without any, nothing of the session is read.
 */
export async function storedCheckpoint(
  { memories = [], reader }: CheckpointPorts,
  source: PlanSource,
  { focus, digest }: { readonly focus: string | null; readonly digest: boolean },
): Promise<StoredCheckpointText> {
  const notes = new Set<string>()
  // A request for a focus, or for a digest, asks for a summary made for it; OpenClaw's gateway makes its own.
  if (focus !== null || digest || source.session.store.era === 'sqlite') return { covering: null, notes: [] }
  const found: Candidate[] = []
  for (const memory of memories)
    for (const session of namesOf(source))
      try {
        found.push(...(await candidatesOf(memory, session)))
      } catch (error) {
        // One that cannot be read fails under each name.
        notes.add(reasonOf(error))
      }
  return { covering: found.length === 0 ? null : await located(reader, source, found), notes: [...notes] }
}

type Located = { readonly found: string; readonly covering: Promise<CheckpointText | null> }

/** Knobs move over one session again and again: where texts end in it is looked up once. */
const known = new WeakMap<PlanSource, Located>()

function located(
  reader: StoreReader,
  source: PlanSource,
  candidates: readonly Candidate[],
): Promise<CheckpointText | null> {
  const found = JSON.stringify(candidates)
  const before = known.get(source)
  if (before?.found === found) return before.covering
  const covering = locate(reader, source, candidates)
  known.set(source, { found, covering })
  covering.catch(() => known.delete(source))
  return covering
}

async function locate(
  reader: StoreReader,
  source: PlanSource,
  candidates: readonly Candidate[],
): Promise<CheckpointText | null> {
  const facts = source.context.map(({ entry }) => entry.fact)
  const messages = await readMessages(reader, source, facts)
  const keyed = facts.flatMap((fact, index) => {
    const message = messages.get(fact.seq)
    return message === undefined ? [] : [{ fact, index, key: keyOf(fact, message) }]
  })
  return newestCheckpoint(
    candidates.flatMap(({ key, index, at, text, tokens }) => {
      const same = keyed.filter(
        ({ fact, key: own }) =>
          (own === key || fact.id === key) && (at === null || fact.at === null || fact.at <= at),
      )
      // Of messages that say the same, the first: what it covers besides is said twice then, and nothing is lost.
      const upto = same.find((one) => one.index === index) ?? same[0]
      return upto === undefined ? [] : [{ text, tokens, uptoSeq: upto.fact.seq }]
    }),
  )
}

/** Names by which an agent may know its session. */
function namesOf({ session: { transcript } }: PlanSource): string[] {
  const { key, sessionId } = transcript
  return key === null || key === sessionId ? [sessionId] : [key, sessionId]
}

async function candidatesOf(memory: CheckpointMemory, session: string): Promise<Candidate[]> {
  const checkpoints = (await memory.checkpoints(session)).map(
    (checkpoint): Candidate => ({
      ...textOfCheckpoint(checkpoint),
      key: checkpoint.uptoEntryId,
      index: checkpoint.uptoSeq,
      at: checkpoint.at,
    }),
  )
  const rolling = (await memory.load(session))?.rolling ?? null
  if (rolling === null) return checkpoints
  const { text, tokens, covered, key } = rolling
  return [...checkpoints, { text, tokens, key, index: covered - 1, at: null }]
}

function keyOf({ role }: EntryFact, { calls, resultFor, text }: SourceMessage): string {
  return keyOfText({ role, calls, resultFor }, text)
}
