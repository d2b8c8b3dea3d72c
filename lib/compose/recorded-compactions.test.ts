import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { discoverStores } from '../adapters/discovery/discover'
import { createStoreReader } from '../adapters/stores/store-reader'
import { runtimeContextTokens } from '../core/compaction/context-tokens'
import { findCutPoint } from '../core/compaction/cut-point'
import { prepareCompaction } from '../core/compaction/prepare'
import { type RuntimeKind, runtimeTokens } from '../core/compaction/runtime-size'
import type { SizedEntry } from '../core/compaction/sized-entry'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { Branches } from '../core/transcript/branches'
import { contextAt } from '../core/transcript/context'
import type { EntryFact } from '../core/transcript/entry'
import { isObject } from '../core/transcript/json'
import { inspectSession } from '../engine/read/inspect-session'
import { readSources } from '../engine/read/read-sources'
import { CORPUS } from '../testing/corpus'

/**
 * What the real clients recorded, and where we differ.
 *
 * | client | compaction | tokensBefore | first kept | ours |
 * |---|---|---|---|---|
 * | 2026.7.1, and imported by 2026.9.6 | first, after an overflow | 41,925 | the first entry | the same cut, and "nothing to compact" |
 * | the same | second | 0 | the first entry | the same cut, and "nothing to compact" |
 *
 * All 18,629 tokens of that session, as the client sizes them, are within its tail of 20,000, so that its cut keeps
 * everything: both of its records reclaimed nothing. We find the same cut and do not write such a record.
 */
const RECORDED = [
  { tokensBefore: 41_925, figure: 41_925, firstKept: 0 },
  // The answer before it reports zeros, which 2026.7 takes for the size of the context.
  { tokensBefore: 0, figure: 41_957, firstKept: 0 },
] as const

type Found = {
  readonly recorded: EntryFact
  readonly path: readonly SizedEntry[]
  readonly context: readonly SizedEntry[]
  readonly keptBy: (boundary: number) => number
}

/** Every recorded compaction of a store with the path and the context that it was made from. */
async function recordedIn(root: string, kind: RuntimeKind): Promise<Found[]> {
  const { stores } = await discoverStores({ env: {}, home: root, only: [root] })
  const reader = createStoreReader({ lastLine: 'take-whole' })
  const found: Found[] = []
  for (const store of stores) {
    for await (const transcript of reader.list(store)) {
      const { facts } = await inspectSession(reader, store, transcript)
      const sizes: number[] = []
      for await (const text of readSources(reader, store, transcript, facts)) {
        const entry: unknown = JSON.parse(text)
        sizes.push(isObject(entry) ? runtimeTokens(entry, kind) : 0)
      }
      for (const recorded of facts.filter(({ type }) => type === 'compaction')) {
        const branches = Branches.of(facts.slice(0, recorded.seq))
        const sized = (seq: number) => ({ fact: facts[seq] as EntryFact, size: sizes[seq] ?? 0 })
        const seqs = branches.path(branches.leaf)
        const context = contextAt(branches, branches.leaf, store.kind).map(({ fact }) => sized(fact.seq))
        const keptBy = (boundary: number) => branches.firstKept(seqs, boundary)
        found.push({ recorded, path: seqs.map(sized), context, keptBy })
      }
    }
  }
  return found
}

describe.skipIf(CORPUS === null)(
  'D9: compactions that the real OpenClaw recorded (skipped without ../shared/corpus)',
  () => {
    it.each<[string, RuntimeKind]>([
      ['openclaw-2026.7.1', 'openclaw'],
      ['openclaw-2026.9.6', 'openclaw-9'],
    ])('%s: the same tokensBefore, where the answers report any, and the same cut', async (name, kind) => {
      const found = await recordedIn(join(CORPUS ?? '', name), kind)
      const { keepRecentTokens } = DEFAULT_POLICY.compaction
      const ours = found.map(({ path, context, keptBy }) => ({
        figure: runtimeContextTokens(context),
        firstKept: findCutPoint(path, 0, path.length, keepRecentTokens).firstKept,
        outcome: prepareCompaction(path, keepRecentTokens, keptBy),
      }))
      // A recorded 0 is an unknown size to us.
      expect(found.map(({ recorded }) => recorded.tokensBefore ?? 0)).toEqual(
        RECORDED.map((one) => one.tokensBefore),
      )
      expect(ours.map(({ figure, firstKept }) => ({ figure, firstKept }))).toEqual(
        RECORDED.map(({ figure, firstKept }) => ({ figure, firstKept })),
      )
      expect(
        found.map(({ path, recorded }) =>
          path.findIndex(({ fact }) => fact.id === recorded.firstKeptEntryId),
        ),
      ).toEqual(RECORDED.map(({ firstKept }) => firstKept))
      expect(ours.map(({ outcome }) => outcome)).toEqual(
        RECORDED.map(() => ({ kind: 'nothing', why: 'all-kept' })),
      )
    })
  },
)
