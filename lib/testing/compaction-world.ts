import { decodeUtf8 } from '../adapters/jsonl/decode-utf8'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { estimateUnits } from '../core/tokens/estimate'
import { NO_HOOKS } from '../engine/compaction/compaction-hooks'
import type { CompactionPorts, CompactionRequest } from '../engine/compaction/compaction-ports'
import type { KeptSummaries, KeptSummary } from '../engine/compaction/kept-summary'
import { Lanes } from '../engine/jobs/lanes'
import { TranscriptBuilder } from './builders/transcript'
import type { MemoryDisk } from './memory-disk'
import { memoryReader, memorySession } from './memory-session'
import type { TestWriter } from './test-writer'

/** Where the session lies on the disk. */
export const COMPACTED_FILE = '/store/s1.jsonl'

/** Keeps so little of `tenTurns` that there is something to compact. */
export const COMPACTION_POLICY: Policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 500, mode: 'default' },
  summary: { ...DEFAULT_POLICY.summary, rolling: { ...DEFAULT_POLICY.summary.rolling, enabled: false } },
}

export function tenTurns(): TranscriptBuilder {
  const session = new TranscriptBuilder()
  for (let i = 0; i < 10; i++) {
    session.user(`Please do part ${i}. ${'word '.repeat(80)}`)
    session.assistant(`Done ${i}. ${'word '.repeat(80)}`, { usage: { input: 700 + i * 300, output: 9 } })
  }
  return session
}

/** All that compacting the session on a disk takes, without hooks; it is a digest unless a chain of models is given. */
export async function compactionWorld(
  disk: MemoryDisk,
  writer: TestWriter,
  kept: Map<string, KeptSummary>,
): Promise<{ readonly ports: CompactionPorts; readonly request: CompactionRequest }> {
  const { store, transcript } = await memorySession(disk.text(COMPACTED_FILE) ?? '')
  const keeping: KeptSummaries = {
    get: async (file) => kept.get(file) ?? null,
    put: async (one) => void kept.set(one.file, one),
    forget: async (file) => void kept.delete(file),
  }
  return {
    ports: {
      reader: memoryReader(store, new Map([[transcript, () => disk.text(COMPACTED_FILE) ?? '']])),
      ...{ writer, lanes: new Lanes(1), decode: decodeUtf8, kept: keeping, hooks: NO_HOOKS },
      newEntryId: (isTaken) => (isTaken('new00001') ? 'new00002' : 'new00001'),
      summary: { sizeOf: estimateUnits, mask: (text) => text, isSecret: () => false },
    },
    request: {
      ...{ store, transcript, policy: COMPACTION_POLICY, chain: null, focus: null },
      ...{ actor: 'cli', manual: true, wait: { waitMs: 0 } },
    },
  }
}
