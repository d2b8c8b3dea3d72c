import type { OwnPrices } from '../../core/tokens/own-prices'
import { costOf } from '../../core/tokens/prices'
import { isCall } from '../../core/transcript/context'
import type { Bytes } from '../../core/units/units'
import type { PackedPart, SessionPart } from '../../engine/ingest/ingest-ports'
import { CALLS_PER_BLOCK, type PackedCalls, packCalls } from '../call-blocks'
import { ENTRIES_PER_BLOCK } from '../entry-blocks'
import { packFacts } from '../pack-facts'
import type { SearchWrite } from '../search'
import { packTexts } from '../search-texts'
import type { SqlValue } from '../sql-value'
import { type Columns, importedColumns } from './session-columns'

/**
 * A part as rows to be. Making it is a good half of the work of writing, and nothing to block other threads for: it
 * is done before the transaction, and as soon as a part is read, so that its entries need not be kept.
 */
export type PackedRows = PackedPart &
  Pick<SessionPart, 'replace' | 'boundaries' | 'days' | 'tools' | 'judged'> & {
    /** What detectors have gathered; null: nothing new. */
    readonly signsJson: string | null
    /** Columns of `Session`, but for the revision and the sum of bytes. */
    readonly columns: Columns
    /** A row of `SessionBill`, behind the session's: parent, largest, and what was not recorded of its cost. */
    readonly bill: readonly SqlValue[] | null
    /** Bytes of the entries' lines, newlines included. */
    readonly bytes: Bytes
    readonly blocks: readonly PackedBlock[]
    readonly calls: readonly (PackedCalls & { readonly firstN: number; readonly count: number })[]
    /**
     * Entries that are unreadable or of unknown type, as values of a row behind the session's: seq, line, bytes, type,
     * raw type, problem.
     */
    readonly odd: readonly (readonly SqlValue[])[]
    /** Number of the call whose row `calls` begins anew; null: it is a new call's. */
    readonly amends: number | null
    /** Failed calls, likewise: number, seq, time, stop reason. */
    readonly failed: readonly (readonly SqlValue[])[]
    /** null when the index is left alone. */
    readonly searchable: Omit<SearchWrite, 'sessionRow'> | null
  }

type PackedBlock = {
  readonly firstSeq: number
  readonly count: number
  /** Calls of the session whose answers are before this block. */
  readonly callsBefore: number
  readonly factsJson: string
}

/**
 * @param withSearch whether the words of its entries go into the index
 * @param prices the operator's own
 */
export function packPart(part: SessionPart, withSearch: boolean, prices: OwnPrices): PackedRows {
  const { transcript, problem, stamp, replace, boundaries, days, tools, judged, facts, amended, progress } =
    part
  const frames = amended === null ? part.frames : [amended.frame, ...part.frames]
  return {
    transcript,
    problem,
    stamp,
    replace,
    boundaries,
    days,
    tools,
    judged,
    signsJson: progress?.signsJson ?? null,
    entries: facts.length,
    columns: importedColumns(part),
    bill: billOf(part),
    bytes: facts.reduce((sum, fact) => sum + (fact.piece === undefined ? fact.bytes + 1 : 0), 0),
    blocks: packBlocks(part),
    amends: amended?.frame.call ?? null,
    calls: packFrames(part, frames, prices),
    odd: facts.flatMap(({ type, seq, line, bytes, rawType, problem }) =>
      type === 'unreadable' || type === 'unknown'
        ? [[seq, line, bytes, type, rawType ?? null, problem ?? null]]
        : [],
    ),
    failed: frames.flatMap(({ call, seq, at, stopReason }) =>
      stopReason === 'error' ? [[call, seq, at, stopReason]] : [],
    ),
    searchable: withSearch ? searchableOf(part) : null,
  }
}

function billOf({ progress, transcript }: SessionPart): readonly SqlValue[] | null {
  if (progress === null) return null
  const { accepted, listUsd, unpriced, besides, agentOf } = progress.totals
  const prompts = Object.values(accepted)
  const tokens = besides.input + besides.output + besides.cacheRead + besides.cacheWrite
  return [
    transcript.index?.spawnedBy ?? agentOf,
    prompts.length === 0 ? null : Math.max(...prompts),
    listUsd,
    unpriced,
    besides.calls,
    tokens,
    besides.listUsd,
  ]
}

function packBlocks({ facts, frames, progress }: SessionPart): PackedBlock[] {
  const blocks: PackedBlock[] = []
  let callsBefore = (progress?.totals.calls ?? 0) - frames.length
  for (let i = 0; i < facts.length; i += ENTRIES_PER_BLOCK) {
    const block = facts.slice(i, i + ENTRIES_PER_BLOCK)
    blocks.push({
      firstSeq: block[0]?.seq ?? 0,
      count: block.length,
      callsBefore,
      factsJson: packFacts(block),
    })
    callsBefore += block.filter(isCall).length
  }
  return blocks
}

function packFrames(
  { facts, amended }: SessionPart,
  frames: SessionPart['frames'],
  prices: OwnPrices,
): PackedRows['calls'] {
  const firstSeq = facts[0]?.seq ?? 0
  const costs = frames.map(({ seq, provider, model, at }) => {
    const usage = (seq === amended?.fact.seq ? amended.fact : facts[seq - firstSeq])?.usage
    if (usage == null) return null
    const { recorded, listed, source } = costOf(usage, { provider, model, at }, prices)
    return { recorded: recorded.value, listed: listed.value, source }
  })
  const calls: PackedRows['calls'][number][] = []
  for (let i = 0; i < frames.length; i += CALLS_PER_BLOCK) {
    const block = frames.slice(i, i + CALLS_PER_BLOCK)
    const packed = packCalls(block, costs.slice(i, i + CALLS_PER_BLOCK))
    calls.push({ ...packed, firstN: block[0]?.call ?? 0, count: block.length })
  }
  return calls
}

/** null when nothing is said about any entry. */
function searchableOf({ facts, texts, replace }: SessionPart): PackedRows['searchable'] {
  const firstSeq = facts[0]?.seq ?? 0
  if (facts.length === 0 && !replace) return null
  return { from: replace ? 0 : firstSeq, texts: packTexts(firstSeq, texts) }
}
