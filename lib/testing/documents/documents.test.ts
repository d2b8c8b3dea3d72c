import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeDemoFiles } from '../../adapters/files/demo-files'
import { sharedFolder, writeFiles } from '../store-folder'
import { checkVerb, DOCUMENT_NOW, type DocumentWorld, documentWorld, setTimes } from './document-world'
import { busySession, environmentOfKinds, hurtSession, writeStoresOfEachKind } from './stores-of-each-kind'

/*
 * Every verb's `--json` document, compared with a golden one in `lib/testing/fixtures/documents`. These documents are
 * public: a key or a figure changes on purpose, or it is a fault. To renew them after a change that is
 * wanted: `npx vitest run lib/testing/documents -u`; then read the difference.
 */

type Case = readonly [name: string, ...argv: string[]]

/** The clock of the documents; timers and files keep the machine's. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: DOCUMENT_NOW })
}

afterEach(() => void vi.useRealTimers())

describe('X1 documents of reading verbs over a store of each kind', () => {
  const folder = sharedFolder()
  const world = documentWorld('kinds', folder, { env: environmentOfKinds(folder) })
  beforeAll(async () => {
    await writeStoresOfEachKind(folder)
    setTimes(folder)
  })
  beforeEach(stopClock)

  const busy = 'agent:main:main'
  const inFiles = ['--store', 'files'] as const
  const cases: readonly Case[] = [
    ['stores', 'stores'],
    ['stores-unknown', 'stores', '--store', 'others'],
    ['sessions', 'sessions'],
    ['sessions-copies', 'sessions', '--copies', ...inFiles],
    ['status-files', 'status', busy, ...inFiles],
    ['status-database', 'status', busy, '--store', 'database'],
    ['status-pi', 'status', 'busy-pi'],
    ['status-pi-version-1', 'status', 'pi/2026-11-01T08-00-00-000Z_version-1.jsonl'],
    ['status-claude-code', 'status', 'others/claude-code.jsonl'],
    ['status-codex', 'status', 'others/rollout-2026-11-22T16-38-12-codex.jsonl'],
    ['status-draft', 'status', busy, ...inFiles, '--policy', 'default'],
    ['status-hurt', 'status', 'hurt'],
    ['context-last', 'context', 'small', ...inFiles],
    ['context-call', 'context', busy, ...inFiles, '--call', '3'],
    ['context-next-exact', 'context', 'busy-pi', '--call', 'next', '--exact'],
    ['context-no-call', 'context', 'small', '--call', '99', ...inFiles],
    ['context-claude-code', 'context', 'others/claude-code.jsonl', '--call', 'next'],
    ['context-codex', 'context', 'others/rollout-2026-11-22T16-38-12-codex.jsonl', '--call', 'next'],
    ['findings', 'findings', busy, ...inFiles],
    ['score', 'score', 'hurt', '--prompt', 'which berth is free'],
    ['score-logistic', 'score', 'hurt', '--scorer', 'logistic'],
    ['score-chunk', 'score', busy, ...inFiles, '--policy', 'memfas', '--chunk-id', 'e22'],
    ['compactions', 'compactions', busy, ...inFiles, '--losses', '5'],
    ['compactions-database', 'compactions', busy, '--store', 'database'],
    ['replay', 'replay'],
    ['replay-limits', 'replay', '--policy', 'as-it-was', '--policy', 'keep-calls-10', '--max-regret', '0'],
    ['replay-session', 'replay', '--sessions', 'busy-pi', '--policy', 'vs7', '--min-saving', '0.9'],
    ['replay-no-policy', 'replay', '--policy', 'nothing-like-it'],
    ['tune-too-few', 'tune', '--sessions', 'busy-pi'],
    ['doctor', 'doctor'],
    ['policy-show', 'policy', 'show', busy, ...inFiles],
    [
      'policy-show-budget',
      ...['policy', 'show', '--policy', 'vs7', '--window', '200000'],
      ...['--used', 'system=8500,bootstrap=3200'],
    ],
    ['policy-check', 'policy', 'check'],
    ['policy-diff', 'policy', 'diff', 'openclaw', 'memfas'],
    ['policy-apply-dry-run', 'policy', 'apply', 'lines.compact.at=0.4', '--dry-run'],
    ['compact-dry-run', 'compact', busy, ...inFiles, '--show-summary'],
    ['compact-dry-run-draft', 'compact', 'busy-pi', '--policy', 'openclaw', '--call', '12'],
    ['compact-dry-run-database', 'compact', busy, '--store', 'database', '--digest'],
    ['compact-compare', 'compact', busy, ...inFiles, '--compare'],
    ['compact-hurt', 'compact', 'hurt'],
    ['prune', 'prune', busy, ...inFiles, '--policy', 'memfas'],
    ['prune-rules', 'prune', 'hurt', '--all', '--rule', 'duplicates'],
    ['repair-check', 'repair', 'hurt', '--check', '--diff'],
    ['repair-check-early', 'repair', 'hurt', '--rules', 'early'],
    ['repair-check-sound', 'repair', 'small', ...inFiles],
    ['repair-check-database', 'repair', 'headless', '--store', 'database'],
    ['maintain-dry-run', 'maintain', ...inFiles],
    ['maintain-dry-run-database', 'maintain', '--store', 'database'],
    ['health', 'health', busy, ...inFiles, '--no-log'],
    ['health-above', 'health', busy, ...inFiles, '--notify-if-pct', '0.01'],
    ['health-all', 'health', '--all'],
    ['logs', 'logs'],
    ['logs-histogram', 'logs', '--histogram', '--session', 'busy'],
    ['drops', 'drops'],
    ['drops-chunk', 'drops', '--chunk-id', 'e8'],
    ['cold-storage-list', 'cold-storage', 'list', '--expired'],
    ['cold-storage-search', 'cold-storage', 'search', 'crane'],
    ['cold-storage-purge-dry-run', 'cold-storage', 'purge'],
    ['recover', 'recover', '--chunk-id', 'e4'],
    ['tasks', 'tasks', '--check'],
    ['memory-empty', 'memory', 'list'],
    ['audit-empty', 'audit'],
    ['trust-list', 'trust', '--list'],
    ['trust', 'trust', 'plimsoll.yaml', '--dry-run'],
    ['undo-unknown', 'undo', 'nothing'],
    ['no-session', 'status', 'nobody'],
    ['many-sessions', 'status', 'agent:main:'],
    ['no-verb', 'glimpse'],
  ]
  it.each(cases)('%s', (name, ...argv) => checkVerb(world, name, argv).then(() => undefined))
})

describe('X14 documents over the demo: logs, drops, cold storage, memory', () => {
  const folder = sharedFolder()
  const world = documentWorld('demo', folder)
  beforeAll(async () => {
    await writeDemoFiles({ home: join(folder, 'state'), now: DOCUMENT_NOW })
    setTimes(folder)
  })
  beforeEach(stopClock)

  const nightly = 'agent:ledger:cron:nightly'
  const cases: readonly Case[] = [
    ['stores', 'stores'],
    ['sessions', 'sessions'],
    ['status', 'status'],
    ['context', 'context', nightly, '--call', '9'],
    ['compactions', 'compactions', 'agent:watch:main', '--losses', '2'],
    ['compact', 'compact', nightly, '--policy', 'memfas'],
    ['health', 'health', '--all', '--no-log'],
    ['maintain', 'maintain'],
    ['logs', 'logs', '--limit', '6'],
    ['logs-stats', 'logs', '--stats'],
    ['logs-what-if', 'logs', '--what-if', '0.3', '--against', '0.2'],
    ['logs-what-if-trial', 'logs', '--what-if', '0.3', '--trial'],
    ['drops', 'drops', '--limit', '4'],
    ['cold-storage-list', 'cold-storage', 'list', '--limit', '4', '--min-score', '0.2'],
    ['cold-storage-search', 'cold-storage', 'search', 'crane', '--limit', '3', '--archives'],
    ['cold-storage-purge-dry-run', 'cold-storage', 'purge'],
    ['memory-search', 'memory', 'search', 'crane', '--limit', '3'],
    ['reset-refused', 'reset'],
    ['ingest', 'ingest'],
    ['doctor', 'doctor'],
  ]
  it.each(cases)('%s', (name, ...argv) => checkVerb(world, name, argv).then(() => undefined))

  it('drops and recover of one chunk', async () => {
    const list = ['cold-storage', 'list', '--limit', '1']
    const { chunks } = await checkVerb(world, 'cold-storage-one', list)
    const [{ id }] = chunks
    await checkVerb(world, 'drops-chunk', ['drops', '--chunk-id', id])
    await checkVerb(world, 'recover', ['recover', '--chunk-id', id])
  })
})

describe('X12 documents of verbs that write, and of their way back', () => {
  const folder = sharedFolder()
  // Locks are judged by the machine's clock.
  const world: DocumentWorld = documentWorld('writes', folder, {
    env: { PLIMSOLL_STORES: join(folder, 'store') },
    chance: true,
  })
  beforeAll(() => {
    writeFiles(folder, {
      'store/2026-11-01T08-00-00-000Z_busy.jsonl': busySession('busy'),
      'store/2026-11-01T08-00-00-000Z_hurt.jsonl': hurtSession('hurt'),
    })
    // Receipts show it.
    for (const name of readdirSync(join(folder, 'store'))) chmodSync(join(folder, 'store', name), 0o600)
  })

  const check = (name: string, ...argv: string[]) => checkVerb(world, name, argv)

  it('compact, repair, undo, audit, reset', async () => {
    const compacted = await check('compact-now', 'compact', 'busy', '--now', '--digest')
    expect(compacted.receipt).toBeTypeOf('string')
    await check('compactions-after', 'compactions', 'busy', '--losses', '3')
    await check('undo-compact', 'undo', compacted.receipt)
    const repaired = await check('repair-apply', 'repair', 'hurt', '--apply')
    await check('repair-check-after', 'repair', 'hurt')
    await check('undo-repair', 'undo', repaired.receipt)
    await check('audit', 'audit')
    await check('audit-verify', 'audit', '--verify')
    await check('reset', 'reset', '--force')
  })

  it('facts', async () => {
    // How sure a fact is falls with every millisecond.
    stopClock()
    const added = await check('memory-add', 'memory', 'add', 'The API listens on port 8081.', '--tag', 'api')
    await check('memory-search', 'memory', 'search', 'API', 'port', '--facts')
    await check('memory-list', 'memory', 'list')
    await check('memory-forget', 'memory', 'forget', added.id)
  })
})
