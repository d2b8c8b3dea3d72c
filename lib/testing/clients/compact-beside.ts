import { randomBytes } from 'node:crypto'
import { discoverStores } from '../../adapters/discovery/discover'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { SUMMARY_PORTS } from '../../compose/compaction'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { compactSession } from '../../engine/compaction/compact-session'
import { NO_HOOKS } from '../../engine/compaction/compaction-hooks'
import { Lanes } from '../../engine/jobs/lanes'
import type { Writer } from '../../engine/write/write-ports'

/** Keeps next to nothing word for word, so that there is something to compact after each turn. */
const POLICY: Policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 1 },
  summary: { ...DEFAULT_POLICY.summary, rolling: { ...DEFAULT_POLICY.summary.rolling, enabled: false } },
}

const lanes = new Lanes(1)

/**
 * Compacts one transcript of a store into a digest, without waiting for anybody; answers the id of the record, or how
 * else it ended.
 */
export async function compactBeside(
  writer: Writer,
  root: string,
  file: string,
): Promise<{ readonly ended: string; readonly record: string | null }> {
  const { stores } = await discoverStores({ env: {}, home: root, only: [root] })
  const reader = createStoreReader({ lastLine: 'take-whole' })
  for (const store of stores)
    for await (const transcript of reader.list(store)) {
      if (transcript.path !== file) continue
      const result = await compactSession(
        {
          writer,
          reader,
          lanes,
          hooks: NO_HOOKS,
          decode: decodeUtf8,
          newEntryId: () => randomBytes(4).toString('hex'),
          summary: SUMMARY_PORTS,
        },
        {
          store,
          transcript,
          policy: POLICY,
          chain: null,
          focus: null,
          actor: 'test',
          manual: true,
          wait: { waitMs: 0 },
        },
      )
      if (result.kind === 'compacted') return { ended: 'compacted', record: result.recordId }
      return { ended: result.kind === 'refused' ? result.refusal.code : result.kind, record: null }
    }
  throw new Error(`${file} is not listed`)
}
