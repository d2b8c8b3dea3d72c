import type { CompactionPlan } from '../../core/compaction/plan'
import { importantIn } from '../../core/summary/enrich'
import { withoutOwnNote } from '../../core/summary/own-notes'
import { type SourceMessage, sourceMessage } from '../../core/summary/source-message'
import type { EntryFact } from '../../core/transcript/entry'
import { isObject } from '../../core/transcript/json'
import type { InspectedSession } from '../read/inspect-session'
import type { StoreReader } from '../read/ports'
import { readSources } from '../read/read-sources'
import type { SummaryMaterial } from '../summary/write-summary'
import type { PlanSource } from './plan-session'

/** Of one message, so much is read into memory: its beginning and its end. Characters. */
const MOST_CHARS = 200_000
/** The archive behind a summary is examined from its end, up to so many bytes of transcript. */
const MOST_ARCHIVE_BYTES = 32 * 1024 * 1024
/** Turns before the cut that a summary repeats in short. */
const RECENT_TURNS = 3

/**
 * Reads the messages that a plan summarises, and the archive behind them: all that was on the path before the cut, so
 * that a digest is made of the messages themselves however often they were compacted.
 * @param rulesOf finds the rules of its workspace; without it there are none
 * @param known messages that were read before; what is read now is added to them
 * @throws SourceProblem when entries are not where they were read
 */
export async function readMaterial(
  reader: StoreReader,
  source: PlanSource,
  plan: CompactionPlan,
  rulesOf: RulesOf = async () => null,
  known: KnownMessages = new Map(),
): Promise<SummaryMaterial> {
  const firstKept = source.path.findIndex(({ fact }) => fact.id === plan.firstKeptEntryId)
  const before = source.path.slice(0, firstKept).map(({ fact }) => fact)
  // It may be behind the cut in the file, and is the first message of the context nevertheless.
  const previous = source.path.findLast(({ fact }) => fact.type === 'compaction')?.fact
  const wanted = withinBytes(before)
  const messages = await readMessages(
    reader,
    source,
    previous === undefined || wanted.includes(previous) ? wanted : [...wanted, previous],
    known,
  )
  const of = (seqs: readonly number[]) => seqs.flatMap((seq) => messages.get(seq) ?? [])
  const sizes = new Map(source.path.map(({ fact, size }) => [fact.seq, size]))
  const { pruned, parts, prefix, oversized } = plan.requests
  const asked = plan.chunks.find(({ rule }) => rule === 'asked')
  return {
    pruned: of(pruned),
    parts: parts.map(of),
    prefix: of(prefix),
    oversized: oversized.flatMap((seq) => {
      const message = messages.get(seq)
      return message === undefined ? [] : [{ message, tokens: sizes.get(seq) ?? 0 }]
    }),
    previous: previous === undefined ? null : (messages.get(previous.seq)?.text ?? null),
    archive: before.flatMap(({ seq, type }) => (type === 'compaction' ? [] : (messages.get(seq) ?? []))),
    newestAsk: asked === undefined ? null : (of(asked.seqs)[0]?.text ?? null),
    important: importantOf(
      before,
      messages,
      previous === undefined ? undefined : messages.get(previous.seq)?.text,
    ),
    recentTurns: recentTurns(of(parts.flat())),
    workspaceRules: await rulesOf(source.session),
  }
}

/** Rules of the workspace in which a session was begun; null when it has none. */
export type RulesOf = (session: Pick<InspectedSession, 'store' | 'totals'>) => Promise<string | null>

/**
 * What was marked as important before the cut, also what earlier compactions took out; credentials are the summary's to
 * mask.
 */
function importantOf(before: readonly EntryFact[], messages: KnownMessages, previous = ''): string[] {
  const marked = before
    .filter(({ important }) => important)
    .flatMap(({ seq }) => messages.get(seq)?.text ?? [])
  return [...importantIn(previous), ...marked]
}

/** Messages by sequence number. */
export type KnownMessages = Map<number, SourceMessage>

/**
 * Parsed messages by sequence number, in the order of the transcript.
 * @param known messages that were read before; what is read now is added to them
 */
export async function readMessages(
  reader: StoreReader,
  { session }: Pick<PlanSource, 'session'>,
  facts: readonly EntryFact[],
  known: KnownMessages = new Map(),
): Promise<KnownMessages> {
  const asked = facts.filter(({ type }) => MESSAGE_TYPES.has(type)).sort((a, b) => a.seq - b.seq)
  const wanted = asked.filter(({ seq }) => !known.has(seq))
  let i = 0
  for await (const text of readSources(reader, session.store, session.transcript, wanted)) {
    const fact = wanted[i] as EntryFact
    i += 1
    const message = parsed(text, fact)
    if (message !== null) known.set(fact.seq, bounded(withoutOwnNote(message)))
  }
  return new Map(
    asked.flatMap(({ seq }) => {
      const message = known.get(seq)
      return message === undefined ? [] : [[seq, message]]
    }),
  )
}

const MESSAGE_TYPES = new Set(['message', 'custom_message', 'branch_summary', 'compaction'])

function parsed(text: string, fact: EntryFact): SourceMessage | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? sourceMessage(value, { entryId: fact.id ?? '', line: fact.line }) : null
  } catch {
    return null
  }
}

function bounded(message: SourceMessage): SourceMessage {
  const { text } = message
  if (text.length <= MOST_CHARS) return message
  const half = MOST_CHARS / 2
  return { ...message, text: `${text.slice(0, half)}\n…\n${text.slice(-half)}` }
}

function withinBytes(facts: readonly EntryFact[]): EntryFact[] {
  let bytes = 0
  const from = facts.findLastIndex((fact) => {
    bytes += fact.bytes
    return bytes > MOST_ARCHIVE_BYTES
  })
  return facts.slice(from + 1)
}

function recentTurns(messages: readonly SourceMessage[]): SourceMessage[] {
  let turns = 0
  const from = messages.findLastIndex(({ role }) => {
    if (role === 'user') turns += 1
    return turns === RECENT_TURNS
  })
  return messages.slice(Math.max(0, from))
}
