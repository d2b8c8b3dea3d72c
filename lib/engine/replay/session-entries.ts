import type { ReplayEntry } from '../../core/replay/replay-entry'
import { withoutOwnNote } from '../../core/summary/own-notes'
import { type SourceMessage, sourceMessage } from '../../core/summary/source-message'
import { Branches, ROOT } from '../../core/transcript/branches'
import { entersContext, isBoundary } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { isObject, type JsonObject, parseObject, stringOf } from '../../core/transcript/json'
import type { InspectedSession } from '../read/inspect-session'
import type { StoreReader } from '../read/ports'
import { readSources } from '../read/read-sources'

/** Of a longer session the end is prepared: so many entries, and so many bytes of them. */
const MOST_ENTRIES = 20_000
const MOST_BYTES = 64 * 1024 * 1024
/** An entry that is larger is passed over. */
const MOST_ENTRY = 8 * 1024 * 1024
/** Of one message, so much is examined: its beginning and its end. Characters. */
const MOST_CHARS = 200_000

/** What of the path to the leaf is prepared. */
export function preparedPath({ facts }: InspectedSession): {
  readonly entries: readonly PathEntry[]
  readonly passedOver: number
} {
  const branches = Branches.of(facts)
  const all = branches.path(branches.leaf).flatMap((seq) => branches.facts[seq] ?? [])
  const wanted = all.filter((fact) => isBoundary(fact) || entersContext(fact))
  let bytes = 0
  const from = wanted.findLastIndex((fact, i) => {
    bytes += Math.min(fact.bytes, MOST_ENTRY)
    return bytes > MOST_BYTES || wanted.length - i > MOST_ENTRIES
  })
  const entries = wanted.slice(from + 1).map((fact): PathEntry => ({ fact, kept: keptBy(branches, fact) }))
  const tooLarge = entries.filter(({ fact }) => fact.bytes > MOST_ENTRY).length
  return { entries, passedOver: from + 1 + tooLarge }
}

/** An entry of the path with what a boundary keeps. */
type PathEntry = Pick<ReplayEntry, 'kept'> & { readonly fact: EntryFact }

function keptBy(branches: Branches, fact: EntryFact): NonNullable<ReplayEntry['kept']> {
  if (!isBoundary(fact)) return NOTHING_KEPT
  const first = branches.namedByBoundary(fact)
  const last =
    fact.keptUpTo === undefined ? undefined : branches.facts.find((one) => one?.id === fact.keptUpTo)
  return { first: first === ROOT ? null : first, last: last?.seq ?? null }
}

const NOTHING_KEPT = { first: null, last: null }

/** The entries with their messages, one after another. */
export async function* preparedEntries(
  reader: StoreReader,
  { store, transcript }: InspectedSession,
  entries: readonly PathEntry[],
): AsyncGenerator<ReplayEntry> {
  const read = entries.filter(({ fact }) => fact.bytes <= MOST_ENTRY)
  const texts = readSources(
    reader,
    store,
    transcript,
    read.map(({ fact }) => fact),
  )[Symbol.asyncIterator]()
  for (const { fact, kept } of entries) {
    if (fact.bytes > MOST_ENTRY) {
      yield { fact, kept, message: null }
      continue
    }
    const { value } = await texts.next()
    const entry = typeof value === 'string' ? parseObject(value) : null
    const summary = entry === null || fact.checkpoint === undefined ? undefined : summaryOfProvider(entry)
    yield { fact, kept, message: messageOf(entry, fact), ...(summary !== undefined && { summary }) }
  }
}

function messageOf(entry: JsonObject | null, { id, line }: EntryFact): SourceMessage | null {
  const message = entry === null ? null : sourceMessage(entry, { entryId: id ?? '', line })
  return message === null ? null : bounded(withoutOwnNote(message))
}

function bounded(message: SourceMessage): SourceMessage {
  const { text } = message
  if (text.length <= MOST_CHARS) return message
  const half = MOST_CHARS / 2
  return { ...message, text: `${text.slice(0, half)}\n…\n${text.slice(-half)}` }
}

/** The summary that Anthropic left on an answer; undefined: there is none that can be read. */
function summaryOfProvider({ message }: JsonObject): string | undefined {
  const replay = isObject(message) && isObject(message.providerReplay) ? message.providerReplay : {}
  return replay.type === 'anthropic-compaction' ? stringOf(replay.data) : undefined
}
